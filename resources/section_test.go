package resources

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestSection(t *testing.T) {
	const doc = "# Guide\n\nintro\n\n## Tokens ##\nopaque\n### Life\n30 days\n```\n## Not this\n```\n\n## Next\nx\n"
	const code = "package x\n\nfunc Foo(a int) {\n\tif a > 0 {\n\t\treturn\n\t}\n}\n\nfunc Bar() {}\n"
	const python = "class A:\n    def f(self):\n        return 1\n\n    def g(self):\n        return 2\n"
	for _, test := range []struct{ name, file, section, data, want string }{
		{"heading", "a.md", "Tokens", doc, "## Tokens ##\nopaque\n### Life\n30 days\n```\n## Not this\n```"},
		{"with its marks, any case", "a.md", "## tokens", doc, "## Tokens ##\nopaque\n### Life\n30 days\n```\n## Not this\n```"},
		{"below", "a.md", "Life", doc, "### Life\n30 days\n```\n## Not this\n```"},
		{"the last", "a.md", "Next", doc, "## Next\nx"},
		{"the first holds all", "a.md", "Guide", doc, doc[:len(doc)-1]},
		{"in a fence", "a.md", "Not this", doc, ""},
		{"none", "a.md", "Nothing", doc, ""},
		{"function", "a.go", "func Foo(", code, "func Foo(a int) {\n\tif a > 0 {\n\t\treturn\n\t}\n}"},
		{"one line", "a.go", "func Bar()", code, "func Bar() {}"},
		{"by indentation", "a.py", "def f", python, "def f(self):\n        return 1"},
		{"other line ends", "a.md", "Next", "## Next\r\nx\r\n", "## Next\nx"},
		{"blank", "a.md", "  ", doc, ""},
		{"empty file", "a.md", "x", "", ""},
	} {
		t.Run(test.name, func(t *testing.T) {
			part, found := Section(test.file, test.section, []byte(test.data))
			assert.Equal(t, test.want != "", found)
			assert.Equal(t, test.want, string(part))
		})
	}
}

func FuzzSection(f *testing.F) {
	f.Add("a.md", "x", "# x\n```\n#")
	f.Add("a.go", "f", "f\n\t\n}\n")
	f.Fuzz(func(t *testing.T, file, section, data string) {
		part, found := Section(file, section, []byte(data))
		if !found && part != nil {
			t.Fatal("a part of nothing")
		}
	})
}
