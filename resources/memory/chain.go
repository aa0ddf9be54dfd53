package memory

import (
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/idumb-dev/idumb/resources"
)

// NormalTopic normalizes a topic for comparison: lower case, with dashes for white space.
func NormalTopic(key string) string {
	return strings.Join(strings.Fields(strings.ToLower(key)), "-")
}

// NormalText normalizes a content for comparison: letters, digits and marks in
// lower case, with one space between words for all other characters. Texts with
// the same result are duplicates.
func NormalText(text string) string {
	return strings.Join(strings.FieldsFunc(strings.ToLower(text), isBetween), " ")
}

// isBetween reports whether a rune separates words.
func isBetween(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) && !unicode.IsMark(r) }

// SumOfWords returns a hash of the beginning of NormalText: the first most
// characters, spaces not counted (0 means all). Equal texts have the same hash,
// and different texts rarely do.
func SumOfWords(text string, most int) uint64 {
	const begin, prime = 14695981039346656037, 1099511628211 // FNV-1a over characters
	sum, blank := uint64(begin), false
	for _, r := range text {
		switch {
		case r >= 'a' && r <= 'z', r >= '0' && r <= '9':
		case r >= 'A' && r <= 'Z':
			r += 'a' - 'A'
		case r < utf8.RuneSelf || isBetween(r):
			blank = sum != begin
			continue
		default:
			r = unicode.ToLower(r)
		}
		if blank {
			sum, blank = (sum^' ')*prime, false
		}
		sum = (sum ^ uint64(r)) * prime
		if most--; most == 0 {
			break
		}
	}
	return sum
}

// Says reports whether NormalText of a text is words. It stops at the first difference,
// which is faster than normalizing the text.
func Says(text, words string) bool {
	blank := ""
	for word := range strings.FieldsFuncSeq(text, isBetween) {
		rest, same := strings.CutPrefix(words, blank+strings.ToLower(word))
		if !same {
			return false
		}
		words, blank = rest, " "
	}
	return words == ""
}

// Graph provides the mems whose chains are followed.
type Graph interface {
	// Superseders returns the mems with that spec.supersedes, sorted by name.
	Superseders(mem string) []*resources.Mem
	// Mem returns the last valid version of a mem, or nil if it does not exist.
	Mem(name string) *resources.Mem
}

// ReplacementError returns the reason why a mem cannot replace another one, or "". It does not check
// for cycles.
func ReplacementError(m, old *resources.Mem) string {
	switch {
	case m.Spec.Shelf != old.Spec.Shelf:
		return "it is on " + shelfOf(m) + ", and " + strconv.Quote(old.Metadata.Name) + " is on " + shelfOf(old)
	case old.Spec.Type == resources.FalsePath && strings.TrimSpace(m.Spec.SupersedeReason) == "":
		return strconv.Quote(old.Metadata.Name) + " is a false path: only a mem with a reason in spec.supersedeReason replaces it"
	}
	return ""
}

// shelfOf names the shelf of a mem for an error.
func shelfOf(m *resources.Mem) string {
	if m.Spec.Shelf == "" {
		return "no shelf"
	}
	return "shelf " + strconv.Quote(m.Spec.Shelf)
}

// Replacements returns the mems that replace m now, or from their spec.validFrom on, sorted
// by name. They are the mems that name m in spec.supersedes. Mems that cannot replace m
// (see ReplacementError) and mems in a cycle with m are omitted.
func Replacements(m *resources.Mem, g Graph) []*resources.Mem {
	all := g.Superseders(m.Metadata.Name)
	if len(all) == 0 {
		return nil
	}
	var fit []*resources.Mem
	circle := InCycle(m, g)
	for _, s := range all {
		if ReplacementError(s, m) == "" && !(circle && InCycle(s, g)) {
			fit = append(fit, s)
		}
	}
	return fit
}

// Head follows the chain of replacements from m to the last mem, from each mem
// to its newest replacement. It returns m if m was not replaced.
func Head(m *resources.Mem, g Graph) *resources.Mem { return chainsOf(m, g).head(m) }

// holders returns the mems that replace m and are live at now, or m itself: the ends of all
// chains that start at m, sorted by name. Two of them contradict each other.
func holders(m *resources.Mem, g Graph, now time.Time) []*resources.Mem {
	var live []*resources.Mem
	seen := map[string]bool{m.Metadata.Name: true}
	for todo := []*resources.Mem{m}; len(todo) > 0; {
		next := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		if Live(next, g, now) { // its replacement is not valid yet
			live = append(live, next)
			continue
		}
		for _, by := range Replacements(next, g) {
			if !seen[by.Metadata.Name] {
				seen[by.Metadata.Name] = true
				todo = append(todo, by)
			}
		}
	}
	slices.SortFunc(live, func(a, b *resources.Mem) int { return strings.Compare(a.Metadata.Name, b.Metadata.Name) })
	return live
}

// chainOf returns m and the mems that it replaced directly or indirectly, last one first.
// The chain ends at a mem that replaces no other mem, cannot replace one, or is in a cycle.
func chainOf(m *resources.Mem, g Graph) []*resources.Mem {
	chain, seen := []*resources.Mem{m}, map[string]int{m.Metadata.Name: 0}
	for next := m.Spec.Supersedes; next != ""; {
		if i, known := seen[next]; known {
			chain = chain[:i+1]
			break
		}
		old := g.Mem(next)
		if old == nil {
			break
		}
		seen[next] = len(chain)
		chain = append(chain, old)
		next = old.Spec.Supersedes
	}
	for i := range len(chain) - 1 {
		if ReplacementError(chain[i], chain[i+1]) != "" {
			return chain[:i+1]
		}
	}
	return chain
}

// ChainRoot returns the first mem of the chain that ends at m, or m if it replaces no mem.
// To replace the entire chain by another mem, the root must be changed.
func ChainRoot(m *resources.Mem, g Graph) *resources.Mem {
	chain := chainOf(m, g)
	return chain[len(chain)-1]
}

// InCycle reports whether a mem is in a cycle of spec.supersedes.
func InCycle(m *resources.Mem, g Graph) bool {
	return m.Spec.Supersedes != "" && chainsOf(m, g).circled(m)
}

// newest returns the mem with the latest recording time. Of equal times, it returns the
// first by name.
func newest(mems []*resources.Mem) *resources.Mem {
	best := mems[0]
	for _, m := range mems[1:] {
		if RecordedAt(m).After(RecordedAt(best)) {
			best = m
		}
	}
	return best
}

// Live reports whether a mem is valid at now, according to all mems: it is not replaced or
// purged, and now is within its validity period.
func Live(m *resources.Mem, g Graph, now time.Time) bool {
	for _, s := range Replacements(m, g) {
		if !s.Spec.ValidFrom.After(now) {
			return false
		}
	}
	if m.Spec.ValidFrom.After(now) {
		return false
	}
	over := func(t resources.Time) bool { return m.Spec.Type != resources.FalsePath && !t.IsZero() && !t.After(now) }
	return !over(m.Spec.PurgedAt) && !over(m.Spec.ValidTo)
}
