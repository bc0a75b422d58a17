// The pod picker of a sharded game server: shards report their players, and those that the fewest players would miss go first.
package main

import (
	"cmp"
	"context"
	"crypto/subtle"
	"encoding/json"
	"errors"
	"fmt"
	"log"
	"net"
	"net/http"
	"os"
	"os/signal"
	"syscall"
	"time"
)

// question and answer are the messages of contract/picker.openapi.yaml.
type question struct {
	Requested  int      `json:"number_of_pods_requested"`
	Candidates []string `json:"candidate_pods"`
}

type answer struct {
	Chosen []string `json:"chosen_pods"`
	Tied   []string `json:"tied_pods"`
}

// maxBody is enough for the names of thousands of Pods.
const maxBody = 1 << 20

func (s *shards) handlePick(w http.ResponseWriter, r *http.Request) {
	var q question
	err := json.NewDecoder(http.MaxBytesReader(w, r.Body, maxBody)).Decode(&q)
	if err != nil || q.Requested < 1 || len(q.Candidates) == 0 {
		http.Error(w, "not a question", http.StatusBadRequest)
		return
	}
	chosen, tied := s.pick(q.Requested, q.Candidates)
	w.Header().Set("Content-Type", "application/json")
	// Empty lists, not null.
	body := answer{Chosen: append([]string{}, chosen...), Tied: append([]string{}, tied...)}
	if err := json.NewEncoder(w).Encode(body); err != nil {
		log.Printf("answering: %v", err)
	}
}

func (s *shards) handleReport(w http.ResponseWriter, r *http.Request) {
	var connected players
	err := json.NewDecoder(http.MaxBytesReader(w, r.Body, maxBody)).Decode(&connected)
	if err != nil || connected.Premium < 0 || connected.Others < 0 {
		http.Error(w, "not a number of players", http.StatusBadRequest)
		return
	}
	s.report(r.PathValue("name"), connected)
	w.WriteHeader(http.StatusNoContent)
}

func (s *shards) handleForget(w http.ResponseWriter, r *http.Request) {
	s.forget(r.PathValue("name"))
	w.WriteHeader(http.StatusNoContent)
}

// withToken lets callers in that send the token.
func withToken(token string, next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if subtle.ConstantTimeCompare([]byte(r.Header.Get("X-Picker-Token")), []byte(token)) != 1 {
			http.Error(w, "no valid token", http.StatusUnauthorized)
			return
		}
		next.ServeHTTP(w, r)
	})
}

func run() error {
	token := os.Getenv("TOKEN")
	if token == "" {
		return errors.New("TOKEN is not set")
	}
	shards := newShards()
	mux := http.NewServeMux()
	mux.HandleFunc("POST /pick", shards.handlePick)
	mux.HandleFunc("PUT /shards/{name}", shards.handleReport)
	mux.HandleFunc("DELETE /shards/{name}", shards.handleForget)

	listener, err := net.Listen("tcp", net.JoinHostPort(os.Getenv("HOST"), cmp.Or(os.Getenv("PORT"), "8443")))
	if err != nil {
		return err
	}
	server := &http.Server{Handler: withToken(token, mux), ReadHeaderTimeout: 5 * time.Second}
	stop, cancel := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer cancel()
	stopped := make(chan error, 1)
	go func() {
		<-stop.Done()
		grace, cancel := context.WithTimeout(context.Background(), 5*time.Second)
		defer cancel()
		stopped <- server.Shutdown(grace)
	}()

	fmt.Printf("listening on %d\n", listener.Addr().(*net.TCPAddr).Port)
	err = server.ServeTLS(listener, os.Getenv("TLS_CERT_FILE"), os.Getenv("TLS_KEY_FILE"))
	if !errors.Is(err, http.ErrServerClosed) {
		return err
	}
	return <-stopped
}

func main() {
	if err := run(); err != nil {
		log.Fatal(err)
	}
}
