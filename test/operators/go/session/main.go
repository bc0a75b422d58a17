// Command session starts the environment of a suite, says how long that took, and stops it when its input ends.
package main

import (
	"fmt"
	"io"
	"os"
	"time"

	"sigs.k8s.io/controller-runtime/pkg/envtest"
)

func main() {
	environment := &envtest.Environment{}
	begun := time.Now()
	if _, err := environment.Start(); err != nil {
		fail(err)
	}
	fmt.Printf("started %.1f\n", milliseconds(begun))
	_, _ = io.Copy(io.Discard, os.Stdin)
	begun = time.Now()
	if err := environment.Stop(); err != nil {
		fail(err)
	}
	fmt.Printf("stopped %.1f\n", milliseconds(begun))
}

func milliseconds(since time.Time) float64 { return float64(time.Since(since).Microseconds()) / 1000 }

func fail(err error) {
	fmt.Fprintln(os.Stderr, err)
	os.Exit(1)
}
