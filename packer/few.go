package packer

import (
	"cmp"
	"slices"
	"strings"
	"unicode"
)

// More mems or false paths than mostTold are no help to read, whatever room there is; up to
// leastTold mems enter that have less to do with the reader than the others. What belongs to an
// active task itself is told beside them, and not counted.
const (
	leastTold = 3
	mostTold  = 10
)

// Why a mem is left out though it has enough to do with the reader.
const (
	tooMany   = "out: there are ten that have more to do with the active tasks"
	saysAgain = "out: it says what is told already: "
)

// fewMems takes those mems out of the turns that are too many, and those that have little to do with the reader unless they were in, or there are few.
func (cs candidates) fewMems(order []int) []int {
	counted := map[section]int{}
	for pass := range 3 {
		for _, i := range order {
			c := &cs[i]
			if c.section != insights && c.section != antiPatterns || c.tier == urgent || c.pass() != pass {
				continue
			}
			c.passed = ""
			switch {
			case pass == fills && counted[c.section] >= leastTold:
				c.passed = tooLittle
			case !c.own && counted[c.section] >= mostTold:
				c.passed = tooMany
			case !c.own:
				counted[c.section]++
			}
		}
	}
	return slices.DeleteFunc(order, func(i int) bool {
		c := &cs[i]
		if c.passed != "" {
			c.in, c.why = false, c.passed
		}
		return c.passed != ""
	})
}

// fills is the pass of those that enter only to fill up.
const fills = 2

// pass is when a mem is looked at: what has enough to do with the reader, then what was in.
func (c *candidate) pass() int {
	switch {
	case !c.loose:
		return 0
	case c.chosen:
		return 1
	}
	return fills
}

// withoutTwins refuses each mem that says what a better one says, whether that is told or not, and
// returns the others. What contradicts another one is told beside it, however like it is.
func (d *packing) withoutTwins(s section, list []*relevance) []*relevance {
	byScore := slices.Clone(list)
	slices.SortFunc(byScore, func(a, b *relevance) int { return cmp.Or(cmp.Compare(b.score, a.score), strings.Compare(a.id, b.id)) })
	var told []*relevance
	twin := map[*relevance]string{}
	for _, r := range byScore {
		if r.doc < 0 || r.topic != "" || s == insights && !d.judge.mayEnter(r.doc, r.fact) || len(told) == mostLooked {
			continue
		}
		if i := slices.IndexFunc(told, func(other *relevance) bool { return saysAll(other.said(), r.said()) }); i >= 0 {
			twin[r] = told[i].id
			d.all.refuse(s, r.id, r.score, saysAgain+told[i].id)
		} else {
			told = append(told, r)
		}
	}
	return slices.DeleteFunc(list, func(r *relevance) bool { return twin[r] != "" })
}

// nearly is how many of the words of a text have to stand in another one, in percent, for that to say
// what it says.
const nearly = 90

// saysAll reports whether a text says what another one does: nearly all of its words, and all of those
// that turn it round, which are numbers and negations.
func saysAll(text, other map[string]bool) bool {
	shared := 0
	for word := range other {
		switch {
		case text[word]:
			shared++
		case turns(word):
			return false
		}
	}
	for word := range text {
		if turns(word) && !other[word] {
			return false
		}
	}
	return len(other) > 0 && shared*100 >= nearly*len(other)
}

// turns reports whether a word changes what the others say.
func turns(word string) bool {
	switch word {
	case "not", "no", "never", "without", "none", "avoid", "don", "doesn", "isn", "cannot", "can't", "only", "except":
		return true
	}
	return strings.ContainsAny(word, "0123456789")
}

// said are the words of a mem, in lower case.
func (f *fact) said() map[string]bool {
	if f.vocabulary == nil {
		f.vocabulary = map[string]bool{}
		text := strings.ToLower(f.mem.Object.Spec.Title + " " + f.mem.Object.Spec.Content)
		for _, word := range strings.FieldsFunc(text, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) }) {
			f.vocabulary[word] = true
		}
	}
	return f.vocabulary
}
