// Decode reads and decodes every file of a folder with encoding/json, on one goroutine per core:
// the floor of a controller's start.
package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"runtime"
	"sync"
)

func main() {
	entries, err := os.ReadDir(os.Args[1])
	must(err)
	workers := runtime.NumCPU()
	var all sync.WaitGroup
	for w := range workers {
		all.Go(func() {
			for i := w; i < len(entries); i += workers {
				data, err := os.ReadFile(filepath.Join(os.Args[1], entries[i].Name()))
				must(err)
				var object map[string]any
				must(json.Unmarshal(data, &object))
			}
		})
	}
	all.Wait()
}

func must(err error) {
	if err != nil {
		panic(err)
	}
}
