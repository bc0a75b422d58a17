package main

import (
	"reflect"
	"testing"
)

func TestPick(t *testing.T) {
	s := newShards()
	s.report("premium", players{Premium: 2})
	s.report("crowded", players{Others: 7})
	s.report("quiet", players{Others: 2})
	s.report("calm", players{Others: 2})
	s.report("empty", players{})

	tests := []struct {
		name         string
		requested    int
		candidates   []string
		chosen, tied []string
	}{
		{"an empty shard goes first", 1, []string{"premium", "quiet", "empty"}, []string{"empty"}, nil},
		{"an unknown shard is empty", 1, []string{"quiet", "new"}, []string{"new"}, nil},
		{"equal shards are tied", 2, []string{"empty", "quiet", "calm"}, []string{"empty"}, []string{"calm", "quiet"}},
		{"two premium players weigh more than seven others", 1, []string{"premium", "crowded"}, []string{}, []string{"crowded"}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			chosen, tied := s.pick(test.requested, test.candidates)
			if !reflect.DeepEqual(chosen, test.chosen) || !reflect.DeepEqual(tied, test.tied) {
				t.Errorf("got %v and %v, want %v and %v", chosen, tied, test.chosen, test.tied)
			}
		})
	}
}
