package main

import (
	"path"
	"regexp"
	"slices"
	"strings"
)

// The key of a commit's work comes from its changes. A mem is needed if the commit changes a
// declaration that the mem's commit changed, cites that commit, or belongs to the same issue. It
// is acceptable if both share a file or an issue, or a directory and a word of the subject. All
// other mems are noise. Common words do not make a mem needed.

// mostSharing is the maximal number of mems' commits for a declaration or an issue to be
// significant.
const mostSharing = 5

// historyKey contains the commits that became mems.
type historyKey struct {
	learned []*change
	sharing map[symbol]int
	belong  map[string]int // number of commits by issue
}

func newHistoryKey(taught []*change) *historyKey {
	k := &historyKey{taught, map[symbol]int{}, map[string]int{}}
	for _, c := range taught {
		for _, s := range c.symbols {
			k.sharing[s]++
		}
		for _, i := range c.issues() {
			k.belong[i]++
		}
	}
	return k
}

// needed returns the mems that a commit's work needs.
func (k *historyKey) needed(c *change) []string {
	return k.mems(func(m *change) bool {
		return slices.ContainsFunc(m.symbols, func(s symbol) bool { return k.sharing[s] <= mostSharing && slices.Contains(c.symbols, s) }) ||
			slices.ContainsFunc(m.issues(), func(i string) bool { return k.belong[i] <= mostSharing && slices.Contains(c.issues(), i) }) ||
			c.cites(m)
	})
}

// acceptable returns the mems that may be delivered for a commit's work.
func (k *historyKey) acceptable(c *change) []string {
	return k.mems(func(m *change) bool {
		return common(c.files, m.files) || common(c.issues(), m.issues()) || common(folders(c.files), folders(m.files)) && common(subjectWords(c), subjectWords(m))
	})
}

func (k *historyKey) mems(is func(*change) bool) (ids []string) {
	for _, m := range k.learned {
		if is(m) {
			ids = append(ids, memName(m))
		}
	}
	return ids
}

var sum = regexp.MustCompile(`\b[0-9a-f]{7,40}\b`)

// cites reports whether a commit refers to an earlier one: it fixes, reverts or continues it.
func (c *change) cites(earlier *change) bool {
	return slices.ContainsFunc(sum.FindAllString(c.body, -1), func(id string) bool { return strings.HasPrefix(earlier.id, id) }) ||
		strings.Contains(c.subject, `"`+earlier.subject+`"`)
}

var issue = regexp.MustCompile(`#(\d+)\b`)

// issues returns the issue numbers of a commit.
func (c *change) issues() (numbers []string) {
	for _, found := range issue.FindAllStringSubmatch(c.subject+"\n"+c.body, -1) {
		numbers = append(numbers, found[1])
	}
	slices.Sort(numbers)
	return slices.Compact(numbers)
}

func folders(files []string) (folders []string) {
	for _, f := range files {
		folders = append(folders, path.Dir(f))
	}
	return folders
}

// subjectWords returns the significant words of a subject.
func subjectWords(c *change) (words []string) {
	for _, w := range plainWords(c.title()) {
		if len(w) >= 4 && !slices.Contains([]string{"when", "with", "from", "that", "this", "into", "make", "adds", "support", "update", "remove", "avoid", "ensure", "handle", "instead"}, w) {
			words = append(words, w)
		}
	}
	return words
}

func common(a, b []string) bool {
	return slices.ContainsFunc(a, func(s string) bool { return slices.Contains(b, s) })
}
