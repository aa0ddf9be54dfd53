package packer

import (
	"cmp"
	"slices"
	"strings"
	"unicode"
)

// mostTold is the maximal number of mems and of false paths in a pack, because readers do not use
// more, however much room there is. Up to leastTold mems that are hardly relevant enter to fill up.
// Mems of an active task are added to both and not counted.
const (
	leastTold = 3
	mostTold  = 10
)

// Reasons for which a relevant mem is left out.
const (
	tooMany   = "out: there are ten that have more to do with the active tasks"
	saysAgain = "out: it repeats another entry: "
)

// fewMems removes mems over the limit from the order, and hardly relevant mems unless the last pack
// had them or fewer than leastTold remain.
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

// fills is the pass of the mems that enter only to fill up.
const fills = 2

// pass returns when a mem is considered: first relevant mems, then mems of the last pack.
func (c *candidate) pass() int {
	switch {
	case !c.loose:
		return 0
	case c.chosen:
		return 1
	}
	return fills
}

// withoutTwins refuses each mem that repeats a better one, whether that one is included or not, and
// returns the others. Contradicting mems are kept, however similar they are.
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

// nearly is the percentage of a text's words that another text must contain to repeat it.
const nearly = 90

// saysAll reports whether a text repeats another one: it contains nearly all of its words, and both
// have the same numbers and negations.
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

// turns reports whether a word can reverse the meaning of a text: a negation or a number.
func turns(word string) bool {
	switch word {
	case "not", "no", "never", "without", "none", "avoid", "don", "doesn", "isn", "cannot", "can't", "only", "except":
		return true
	}
	return strings.ContainsAny(word, "0123456789")
}

// said returns the words of a mem, in lower case.
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
