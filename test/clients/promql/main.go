// Reads expressions, one a line as JSON, and says of each which series it selects, or what is wrong with it.
package main

import (
	"bufio"
	"encoding/json"
	"os"

	"github.com/prometheus/prometheus/promql/parser"
)

type answer struct {
	Metrics []string `json:"metrics"`
	Error   string   `json:"error,omitempty"`
}

func main() {
	lines := bufio.NewScanner(os.Stdin)
	answers := json.NewEncoder(os.Stdout)
	for lines.Scan() {
		var text string
		if err := json.Unmarshal(lines.Bytes(), &text); err != nil {
			panic(err)
		}
		if err := answers.Encode(parsed(text)); err != nil {
			panic(err)
		}
	}
}

func parsed(text string) answer {
	expression, err := parser.ParseExpr(text)
	if err != nil {
		return answer{Metrics: []string{}, Error: err.Error()}
	}
	found := answer{Metrics: []string{}}
	parser.Inspect(expression, func(node parser.Node, _ []parser.Node) error {
		if selector, ok := node.(*parser.VectorSelector); ok {
			found.Metrics = append(found.Metrics, selector.Name)
		}
		return nil
	})
	return found
}
