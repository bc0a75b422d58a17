package main

import (
	"sort"
	"sync"
)

// premiumWeight says how many other players a premium one counts for.
const premiumWeight = 5

// players are those that are connected to a shard.
type players struct {
	Premium int `json:"premium"`
	Others  int `json:"others"`
}

func (p players) load() int { return premiumWeight*p.Premium + p.Others }

// shards counts the players of every shard by the name of its Pod. Shards report when a player joins or leaves.
type shards struct {
	mu     sync.RWMutex
	byName map[string]players
}

func newShards() *shards { return &shards{byName: map[string]players{}} }

func (s *shards) report(name string, connected players) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.byName[name] = connected
}

// forget is for shards that have stopped.
func (s *shards) forget(name string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.byName, name)
}

// pick chooses the shards with the lowest load, and ties those that are equal at the cut. As soon as enough empty shards are
// found, they are the answer. A shard that has reported nothing is empty.
func (s *shards) pick(requested int, candidates []string) (chosen, tied []string) {
	s.mu.RLock()
	defer s.mu.RUnlock()
	names := append([]string(nil), candidates...)
	sort.Strings(names)

	var empty []string
	for _, name := range names {
		if s.byName[name].load() > 0 {
			continue
		}
		if empty = append(empty, name); len(empty) == requested {
			return empty, nil
		}
	}

	load := func(i int) int { return s.byName[names[i]].load() }
	sort.SliceStable(names, func(i, j int) bool { return load(i) < load(j) })
	cut := load(min(requested, len(names)) - 1)
	first := sort.Search(len(names), func(i int) bool { return load(i) >= cut })
	last := sort.Search(len(names), func(i int) bool { return load(i) > cut })
	return names[:first], names[first:last]
}
