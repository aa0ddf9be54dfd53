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

// NormalTopic is how a topic is compared: in small letters, blanks as dashes.
func NormalTopic(key string) string {
	return strings.Join(strings.Fields(strings.ToLower(key)), "-")
}

// NormalText is how contents are compared: letters and digits in small, everything else
// as one blank. Two texts that differ in nothing else say the same.
func NormalText(text string) string {
	return strings.Join(strings.FieldsFunc(strings.ToLower(text), isBetween), " ")
}

// isBetween reports what stands between words.
func isBetween(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) && !unicode.IsMark(r) }

// SumOfWords is the same number for texts whose NormalText begins with the same characters, so
// many (0: all of them), and seldom for others.
func SumOfWords(text string, most int) uint64 {
	const begin, prime = 14695981039346656037, 1099511628211 // FNV-1a, by characters
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

// Says reports whether NormalText of a text is words. Most texts are told apart by their
// first words.
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

// Graph is what following the chains of mems needs.
type Graph interface {
	// Superseders returns the mems whose spec.supersedes names that mem, sorted by name.
	Superseders(mem string) []*resources.Mem
	// Mem returns the last good version of a mem; nil if there is none.
	Mem(name string) *resources.Mem
}

// Unfit says why a mem cannot replace another one; "" if it can. Circles are not its
// business.
func Unfit(m, old *resources.Mem) string {
	switch {
	case m.Spec.Shelf != old.Spec.Shelf:
		return "it stands on " + shelfOf(m) + ", and " + strconv.Quote(old.Metadata.Name) + " on " + shelfOf(old)
	case old.Spec.Type == resources.FalsePath && strings.TrimSpace(m.Spec.SupersedeReason) == "":
		return strconv.Quote(old.Metadata.Name) + " is a false path, which ends only by a mem that says why in spec.supersedeReason"
	}
	return ""
}

func shelfOf(m *resources.Mem) string {
	if m.Spec.Shelf == "" {
		return "no shelf"
	}
	return "shelf " + strconv.Quote(m.Spec.Shelf)
}

// Replacements returns the mems that take the place of m, or will from their
// spec.validFrom on, sorted by name: those that name it in spec.supersedes, but not
// those that cannot (see Unfit) and not those of a circle, which would all be lost.
func Replacements(m *resources.Mem, g Graph) []*resources.Mem {
	all := g.Superseders(m.Metadata.Name)
	if len(all) == 0 {
		return nil
	}
	var fit []*resources.Mem
	circle := InCircle(m, g)
	for _, s := range all {
		if Unfit(s, m) == "" && !(circle && InCircle(s, g)) {
			fit = append(fit, s)
		}
	}
	return fit
}

// Head follows the chain of replacements from m to the mem that holds; m itself if
// nothing took its place.
func Head(m *resources.Mem, g Graph) *resources.Mem { return chainsOf(m, g).head(m) }

// holders returns the mems that live at now in the place of m, or m itself: the ends of all
// chains that lead away from it, sorted by name. Two of them contradict each other.
func holders(m *resources.Mem, g Graph, now time.Time) []*resources.Mem {
	var live []*resources.Mem
	seen := map[string]bool{m.Metadata.Name: true}
	for todo := []*resources.Mem{m}; len(todo) > 0; {
		next := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		if Live(next, g, now) { // what will replace it does not yet
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

// chainOf returns m and the mems that it took the place of, the last one first: up to one
// that replaces none, or cannot, or that stands in a circle.
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
		if Unfit(chain[i], chain[i+1]) != "" {
			return chain[:i+1]
		}
	}
	return chain
}

// ChainRoot is the first of the mems that replaced each other up to m: m itself if it
// replaces none. Whatever the whole chain is to replace, the root has to.
func ChainRoot(m *resources.Mem, g Graph) *resources.Mem {
	chain := chainOf(m, g)
	return chain[len(chain)-1]
}

// InCircle reports whether following spec.supersedes from a mem leads back to it.
func InCircle(m *resources.Mem, g Graph) bool {
	return m.Spec.Supersedes != "" && chainsOf(m, g).circled(m)
}

// newest is the one that was recorded last, and of those of one time the first by name.
func newest(mems []*resources.Mem) *resources.Mem {
	best := mems[0]
	for _, m := range mems[1:] {
		if RecordedAt(m).After(RecordedAt(best)) {
			best = m
		}
	}
	return best
}

// Live reports whether a mem counts at now, by what mems say of themselves and of each
// other: nothing took its place, it is not purged, and its time has come and not passed.
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
