package githistory

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
)

// What stood in a file is told from the newest commit to the oldest, also of one that is gone since; of no
// other file that a pattern would match, and of nothing too large.
func TestPast(t *testing.T) {
	r := newRepo(t)
	past := func(file string) (texts []string) {
		for data := range Versions(t.Context(), r.root, file) {
			texts = append(texts, string(data))
		}
		return texts
	}
	assert.Empty(t, past("a.md"), "no commit yet")
	for i, text := range []string{"one", "two", strings.Repeat("x", maxBlob+1), "three"} {
		r.write("a.md", text)
		r.write("b.md", "other "+text)
		r.git(day(i+1), "add", ".")
		r.commit(day(i+1), "next")
	}
	r.write("a.md", "not committed")
	assert.Equal(t, []string{"three", "two", "one"}, past("a.md"))
	assert.Empty(t, past("*.md"))
	assert.Empty(t, past("--help"))
	for range Versions(t.Context(), r.root, "a.md") {
		break
	}
	r.git(day(9), "rm", "-q", "-f", "a.md")
	r.commit(day(9), "gone")
	assert.Equal(t, []string{"three", "two", "one"}, past("a.md"))
}
