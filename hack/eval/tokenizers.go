package main

import (
	"fmt"

	"github.com/pkoukk/tiktoken-go"
	loader "github.com/pkoukk/tiktoken-go-loader"
)

// counter counts tokens exactly, as a published tokenizer cuts text.
type counter struct {
	name  string
	count func(string) int
}

// counters are tokenizers whose vocabularies a module carries.
func counters() ([]counter, error) {
	tiktoken.SetBpeLoader(loader.NewOfflineLoader())
	var list []counter
	for _, name := range []string{tiktoken.MODEL_O200K_BASE, tiktoken.MODEL_CL100K_BASE} {
		t, err := tiktoken.GetEncoding(name)
		if err != nil {
			return nil, fmt.Errorf("load the tokenizer %s: %w", name, err)
		}
		list = append(list, counter{name, func(text string) int { return len(t.EncodeOrdinary(text)) }})
	}
	return list, nil
}
