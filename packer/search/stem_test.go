package search

import (
	"bufio"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/kljensen/snowball/english"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestStemIsPorter2 compares with another implementation, over the words of this
// repository's sources and over made-up ones with every ending.
func TestStemIsPorter2(t *testing.T) {
	t.Parallel()
	words := map[string]bool{}
	noWord := func(r rune) bool { return (r < 'a' || r > 'z') && r != '\'' }
	require.NoError(t, filepath.WalkDir("../..", func(path string, d os.DirEntry, err error) error {
		if err != nil || d.IsDir() || filepath.Ext(path) != ".go" && filepath.Ext(path) != ".md" {
			return err
		}
		f, err := os.Open(path)
		if err != nil {
			return err
		}
		defer f.Close()
		for s := bufio.NewScanner(f); s.Scan(); {
			for w := range strings.FieldsFuncSeq(strings.ToLower(s.Text()), noWord) {
				words[w] = true
			}
		}
		return nil
	}))
	endings := strings.Fields("ational ization fulness ousness iveness tional biliti lessli entli ation alism aliti ousli iviti fulli enci anci abli izer ator alli bli ogi li " +
		"alize icate iciti ative ical ness ful ement ance ence able ible ment ant ent ism ate iti ous ive ize ion al er ic e l s es ed ing edly ingly eed eedly ied ies sses y ly 's ' s'")
	for _, start := range strings.Fields("b ab cat stopp run gener commun arsen nation relat rat hopp fil sky toy say boy cr agre f ti d comput connect histor log analog beautif hel skill yell yo sayy") {
		for _, first := range endings {
			words[start+first] = true
			for _, second := range endings[:rounds(len(endings))] {
				words[start+first+second] = true
			}
		}
	}
	for _, w := range strings.Fields("skis skies dying lying tying idly gently ugly early only singly sky news howe atlas cosmos bias andes inning outing canning herring earring proceed exceed succeed innings proceeded youth yes") {
		words[w] = true
	}
	require.Greater(t, len(words), 5000)
	for w := range words {
		if strings.HasPrefix(w, "'") || len(w) < 3 {
			continue
		}
		if want, got := english.Stem(w, true), string(stem([]byte(w))); want != got {
			require.Equal(t, want, got, w) // which is slow, for so many words
		}
	}
}

func TestStemLeavesShortWords(t *testing.T) {
	for _, w := range []string{"", "a", "is", "'", "'a"} {
		assert.Equal(t, strings.TrimPrefix(w, "'"), string(stem([]byte(w))))
	}
}
