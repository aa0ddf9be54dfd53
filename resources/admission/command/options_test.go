package command

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestHasWord(t *testing.T) {
	for _, list := range []string{"", "a", "xx", "aa a", "rm dd", "x-y y", "--force -f", "abab ab"} {
		for _, word := range []string{"", "a", "x", "aa", "rm", "r", "m", "m d", "dd", "y", "-y", "-f", "--force", "force", "ab", " "} {
			want := false
			for w := range strings.SplitSeq(list, " ") {
				want = want || w == word && word != ""
			}
			assert.Equal(t, want, hasWord(list, word), "%q in %q", word, list)
		}
	}
}
