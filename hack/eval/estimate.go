package main

import (
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/idumb-dev/idumb/packer"
)

// errs are by how many percent estimates are above what a tokenizer counts, sorted.
type errs []float64

// at is the value below which that share of them is.
func (e errs) at(share float64) float64 { return e[int(share*float64(len(e)-1))] }

// corpus is texts of one sort.
type corpus struct {
	sort    string
	own     bool // of this repository
	samples []string
}

// estimates compares the estimate of tokens with exact tokenizers: over
// this repository's own files, and over sorts of text that random stores are made of.
func (o *options) estimates() error {
	exact, err := counters()
	if err != nil {
		return err
	}
	files, err := ownTexts(o.source)
	if err != nil {
		return err
	}
	fmt.Fprintf(o.out, "\n| estimate above exact | texts | by | median | 5 %% are below | 5 %% are above | most |\n| --- | --- | --- | --- | --- | --- | --- |\n")
	for _, c := range slices.Concat(files, randomTexts()) {
		for _, tokenizer := range exact {
			e := c.errors(tokenizer)
			fmt.Fprintf(o.out, "| %s | %d | %s | %+.1f %% | %+.1f %% | %+.1f %% | %+.1f %% |\n", c.sort, len(e), tokenizer.name, e.at(0.5), e.at(0.05), e.at(0.95), e.at(1))
			if c.own {
				o.atLeast("the estimate of "+c.sort+", by "+tokenizer.name, e.at(0.5), 0)
			}
		}
	}
	return nil
}

func (c corpus) errors(tokenizer counter) (e errs) {
	for _, text := range c.samples {
		n := tokenizer.count(text)
		e = append(e, 100*float64(packer.Estimate(text)-n)/float64(n))
	}
	slices.Sort(e)
	return e
}

// mostTexts is how many pieces of each sort are looked at: the median of fewer is chance.
const mostTexts = 120

// ownTexts are pieces of this repository's files.
func ownTexts(own string) ([]corpus, error) {
	var code, prose, markdown, data, packs []string
	err := filepath.WalkDir(own, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		switch filepath.Ext(path) {
		case ".go":
			text, err := os.ReadFile(path)
			code, prose = append(code, string(text)), append(prose, comments(string(text)))
			return err
		case ".md":
			return appendFile(&markdown, path)
		case ".json", ".jsonl":
			return appendFile(&data, path)
		case ".xml":
			return appendFile(&packs, path)
		}
		return nil
	})
	return []corpus{
		{"English prose (comments)", true, pieces(prose, mostTexts)}, {"Markdown", true, pieces(markdown, mostTexts)}, {"Go", true, pieces(code, mostTexts)},
		{"JSON", true, pieces(data, mostTexts)}, {"packs", true, pieces(packs, mostTexts)},
	}, err
}

func appendFile(list *[]string, path string) error {
	text, err := os.ReadFile(path)
	*list = append(*list, string(text))
	return err
}

// comments are the words of a source file for people.
func comments(code string) string {
	var b strings.Builder
	for l := range strings.Lines(code) {
		if text, ok := strings.CutPrefix(l, "// "); ok {
			b.WriteString(text)
		}
	}
	return b.String()
}

// pieces are whole lines out of the middle of texts, so many at most, from all over the list.
func pieces(texts []string, most int) []string {
	const least, length = 500, 3000
	texts = slices.DeleteFunc(texts, func(text string) bool { return len(text) < least })
	var list []string
	for i := range min(most, len(texts)) {
		text := texts[i*len(texts)/min(most, len(texts))]
		start := max(0, len(text)-length) / 2
		start += strings.IndexByte(text[start:], '\n') + 1
		if text = text[start:min(len(text), start+length)]; len(text) >= least/2 {
			list = append(list, text[:strings.LastIndexByte(text, '\n')+1])
		}
	}
	return slices.DeleteFunc(list, func(text string) bool { return text == "" })
}

// randomTexts are texts of the sorts that random stores are made of.
func randomTexts() (list []corpus) {
	for _, sort := range texts {
		c := corpus{sort: sort.name}
		for seed := range uint64(30) {
			r, text := rand.New(rand.NewPCG(seed, 1)), ""
			for range 12 {
				text += sort.make(r) + "\n"
			}
			c.samples = append(c.samples, text)
		}
		list = append(list, c)
	}
	return list
}
