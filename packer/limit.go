package packer

import (
	"cmp"
	"slices"
	"strings"
	"unicode"
)

// maxMems is the maximal number of mems and of false paths in a pack, because readers do not use
// more, however much room there is. Up to minMems mems that are hardly relevant enter to fill up.
// Mems of an active task are added to both and not counted.
const (
	minMems = 3
	maxMems = 10
)

// Reasons for which a relevant mem is left out.
const (
	tooManyMems = "out: there are ten that have more to do with the active tasks"
	duplicateOf = "out: it repeats another entry: "
)

// limitMems removes mems over the limit from the order, and hardly relevant mems unless the last pack
// had them or fewer than minMems remain.
func (cs candidates) limitMems(order []int) []int {
	counted := map[section]int{}
	for pass := range 3 {
		for _, i := range order {
			c := &cs[i]
			if c.section != insights && c.section != antiPatterns || c.tier == urgent || c.pass() != pass {
				continue
			}
			c.exclusion = ""
			switch {
			case pass == fillPass && counted[c.section] >= minMems:
				c.exclusion = hardlyRelevant
			case !c.ownTask && counted[c.section] >= maxMems:
				c.exclusion = tooManyMems
			case !c.ownTask:
				counted[c.section]++
			}
		}
	}
	return slices.DeleteFunc(order, func(i int) bool {
		c := &cs[i]
		if c.exclusion != "" {
			c.in, c.why = false, c.exclusion
		}
		return c.exclusion != ""
	})
}

// fillPass is the pass of the mems that enter only to fill up.
const fillPass = 2

// pass returns the pass of limitMems that considers a mem: 0 for relevant mems, 1 for mems of the
// last pack, else fillPass.
func (c *candidate) pass() int {
	switch {
	case !c.irrelevant:
		return 0
	case c.chosen:
		return 1
	}
	return fillPass
}

// dropDuplicates excludes each mem that repeats a better one, whether that one
// is included or not, and returns the others. Mems with a topic are kept,
// however similar they are, because they may contradict each other. Only the
// best maxExamined are compared. It reuses the memory of list.
func (d *packing) dropDuplicates(s section, list []*memScore) []*memScore {
	byScore := slices.Clone(list)
	slices.SortFunc(byScore, func(a, b *memScore) int { return cmp.Or(cmp.Compare(b.score, a.score), strings.Compare(a.id, b.id)) })
	var told []*memScore
	twin := map[*memScore]string{}
	for _, r := range byScore {
		if r.doc < 0 || r.topic != "" || s == insights && !d.judge.mayEnter(r.doc, r.fact) || len(told) == maxExamined {
			continue
		}
		if i := slices.IndexFunc(told, func(other *memScore) bool { return isDuplicate(other.wordSet(), r.wordSet()) }); i >= 0 {
			twin[r] = told[i].id
			d.candidates.exclude(s, r.id, r.score, duplicateOf+told[i].id)
		} else {
			told = append(told, r)
		}
	}
	return slices.DeleteFunc(list, func(r *memScore) bool { return twin[r] != "" })
}

// duplicatePercent is the percentage of a text's words that another text must contain to repeat it.
const duplicatePercent = 90

// isDuplicate reports whether the words other repeat those of text: text
// contains nearly all of them, and both have the same numbers and negations.
func isDuplicate(text, other map[string]bool) bool {
	shared := 0
	for word := range other {
		switch {
		case text[word]:
			shared++
		case changesMeaning(word):
			return false
		}
	}
	for word := range text {
		if changesMeaning(word) && !other[word] {
			return false
		}
	}
	return len(other) > 0 && shared*100 >= duplicatePercent*len(other)
}

// changesMeaning reports whether a word can reverse the meaning of a text: a negation or a number.
func changesMeaning(word string) bool {
	switch word {
	case "not", "no", "never", "without", "none", "avoid", "don", "doesn", "isn", "cannot", "can't", "only", "except":
		return true
	}
	return strings.ContainsAny(word, "0123456789")
}

// wordSet returns the words of a mem, in lower case.
func (f *fact) wordSet() map[string]bool {
	if f.vocabulary == nil {
		f.vocabulary = map[string]bool{}
		text := strings.ToLower(f.mem.Object.Spec.Title + " " + f.mem.Object.Spec.Content)
		for _, word := range strings.FieldsFunc(text, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) }) {
			f.vocabulary[word] = true
		}
	}
	return f.vocabulary
}
