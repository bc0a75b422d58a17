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
	// Envtest gives up after 20 seconds by default, which the real programs may need on a busy machine.
	environment := &envtest.Environment{ControlPlaneStartTimeout: 2 * time.Minute}
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
