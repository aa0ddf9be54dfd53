package hosts

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestPatchPaths(t *testing.T) {
	patch := func(lines ...string) string {
		return "*** Begin Patch\n" + strings.Join(lines, "\n") + "\n*** End Patch\n"
	}
	for name, tc := range map[string]struct {
		text string
		want []string
		ok   bool
	}{
		"add":                             {patch("*** Add File: hello.txt", "+hi"), []string{"hello.txt"}, true},
		"add an empty file":               {patch("*** Add File: a"), []string{"a"}, true},
		"update":                          {patch("*** Update File: src/a.go", "@@ func f", "-x", "+y", " z"), []string{"src/a.go"}, true},
		"update without context":          {patch("*** Update File: a", "-x", "+y"), []string{"a"}, true},
		"delete":                          {patch("*** Delete File: a"), []string{"a"}, true},
		"move":                            {patch("*** Update File: a", "*** Move to: b/c", "@@", "-x", "+y"), []string{"a", "b/c"}, true},
		"several":                         {patch("*** Add File: a", "+x", "*** Delete File: b", "*** Update File: c", "@@", "+x", "*** End of File"), []string{"a", "b", "c"}, true},
		"each once":                       {patch("*** Update File: a", "@@", "+x", "*** Update File: a", "@@", "+y"), []string{"a"}, true},
		"CRLF":                            {strings.ReplaceAll(patch("*** Update File: a", "@@", "+x"), "\n", "\r\n"), []string{"a"}, true},
		"trailing spaces":                 {"*** Begin Patch  \n*** Add File: a b \t\n+x\n*** End Patch ", []string{"a b"}, true},
		"an indented mark":                {patch("*** Delete File: a", "  *** Delete File: b"), []string{"a", "b"}, true},
		"no blank behind the mark":        {patch("*** Delete File:a"), []string{"a"}, true},
		"a here-document":                 {"<<'EOF'\n" + patch("*** Add File: a", "+x") + "EOF\n", []string{"a"}, true},
		"a here-document with cat":        {"cat <<X\n" + patch("*** Add File: a", "+x") + "X", []string{"a"}, true},
		"a mark in what is added":         {patch("*** Add File: a", "+*** Add File: b", "+*** End Patch"), []string{"a"}, true},
		"a mark in context":               {patch("*** Update File: a", "@@", " *** Update File: b", " *** End Patch", "+y"), []string{"a"}, true},
		"blank lines":                     {patch("", "*** Update File: a", "", "@@", "+x", "", "*** Delete File: b", ""), []string{"a", "b"}, true},
		"absolute and upwards":            {patch("*** Delete File: /etc/x", "*** Delete File: ../y"), []string{"/etc/x", "../y"}, true},
		"other case":                      {patch("*** delete file: a"), []string{"a"}, true},
		"a quote inside":                  {patch(`*** Delete File: it's`), []string{"it's"}, true},
		"a name in quotes":                {patch(`*** Delete File: "a b"`), nil, false},
		"a control character":             {patch("*** Delete File: a\r*** Delete File: b"), nil, false},
		"NUL":                             {patch("*** Delete File: a\x00"), nil, false},
		"no name":                         {patch("*** Delete File: "), nil, false},
		"an unknown mark":                 {patch("*** Add File: a", "+x", "*** Rename File: b"), []string{"a"}, false},
		"another environment":             {patch("*** Environment ID: remote", "*** Delete File: a"), nil, false},
		"something between":               {patch("*** Delete File: a", "b"), []string{"a"}, false},
		"text in an added file":           {patch("*** Add File: a", "x"), []string{"a"}, false},
		"no files":                        {patch(), nil, false},
		"no end":                          {"*** Begin Patch\n*** Delete File: a\n", []string{"a"}, false},
		"no begin":                        {"*** Delete File: a\n*** End Patch\n", nil, false},
		"something after the end":         {patch("*** Delete File: a") + "*** Delete File: b\n", []string{"a"}, false},
		"a second patch":                  {patch("*** Delete File: a") + patch("*** Delete File: b"), []string{"a"}, false},
		"a unified diff":                  {"--- a/x\n+++ b/x\n@@ -1 +1 @@\n-a\n+b\n", nil, false},
		"empty":                           {"", nil, false},
		"a here-document without its end": {"<<EOF\n" + patch("*** Delete File: a"), nil, false},
	} {
		t.Run(name, func(t *testing.T) {
			got, ok := PatchPaths(tc.text)
			assert.Equal(t, tc.want, got)
			assert.Equal(t, tc.ok, ok)
		})
	}
}

// FuzzPatchPaths: a patch that is read leaves out no line that could be a mark.
func FuzzPatchPaths(f *testing.F) {
	f.Add("*** Begin Patch\n*** Update File: a\n*** Move to: b\n@@\n-x\n+y\n z\n*** End of File\n*** Add File: c\n+d\n*** Delete File: e\n*** End Patch\n")
	f.Add("<<'EOF'\r\n*** Begin Patch\r\n*** Delete File: a\r\n*** End Patch\r\nEOF")
	f.Fuzz(func(t *testing.T, text string) {
		paths, ok := PatchPaths(text)
		if !ok {
			return
		}
		assert.NotEmpty(t, paths)
		for _, line := range strings.Split(text, "\n") {
			for _, row := range patchFiles {
				if file, named := strings.CutPrefix(line, row.mark+" "); named {
					assert.Contains(t, paths, trimPatch(file))
				}
			}
		}
	})
}

// What a file holds after a patch is computed as hosts do it: hunk by hunk, each once.
func TestPatchResult(t *testing.T) {
	const before = "one\ntwo\nthree\n"
	for name, tc := range map[string]struct {
		patch, after string
		known        bool
	}{
		"a line":          {"*** Update File: a\n@@\n one\n-two\n+zwei\n three", "one\nzwei\nthree\n", true},
		"two hunks":       {"*** Update File: a\n@@\n-one\n+eins\n@@ two\n-three\n+drei", "eins\ntwo\ndrei\n", true},
		"another file":    {"*** Update File: b\n@@\n-x\n+y\n*** Update File: a\n@@\n-two\n+zwei", "one\nzwei\nthree\n", true},
		"added":           {"*** Add File: a\n+new\n+text", "new\ntext", true},
		"deleted":         {"*** Delete File: a", "", true},
		"moved":           {"*** Update File: a\n*** Move to: b\n@@\n-two\n+zwei", "", true},
		"it does not fit": {"*** Update File: a\n@@\n-four\n+vier", "one\ntwo\nthree\n", false},
		"none of it":      {"*** Update File: b\n@@\n-x\n+y", "", false},
	} {
		t.Run(name, func(t *testing.T) {
			after, known := PatchResult("*** Begin Patch\n"+tc.patch+"\n*** End Patch", "a", []byte(before))
			assert.Equal(t, tc.known, known)
			assert.Equal(t, tc.after, string(after))
			assert.Equal(t, name == "deleted" || name == "moved" || name == "none of it", after == nil)
		})
	}
}
