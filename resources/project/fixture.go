package project

import (
	"bufio"
	"bytes"
	"path"
	"strings"

	"github.com/idumb-dev/idumb/resources"
)

// fixtures lists names of directories with example or third-party projects, which do not
// describe this project. Names are singular; plurals match too.
var fixtures = [...]string{
	"example", "sample", "demo", "playground", "fixture", "__fixture__", "testdata", "test-data", "test_data", "template", "vendor", "third_party", "third-party",
	"thirdparty", "benchmark", "bench", "dist", "node_modules", "bower_component", "snippet", "boilerplate", "scaffold", "quickstart", "tutorial",
}

// IsFixture reports whether a path is in a fixture directory. The file name does not
// matter.
func IsFixture(name string) bool {
	dir, _ := path.Split(name)
	for folder := range strings.SplitSeq(strings.ToLower(dir), "/") {
		for _, fixture := range fixtures {
			if folder == fixture || folder == fixture+"s" || folder == fixture+"es" {
				return true
			}
		}
	}
	return false
}

// Vendored reads the root's .gitattributes and returns a function that reports whether a
// path is vendored or generated. As in git, the last matching line decides.
func Vendored(files Files) func(name string) bool {
	type rule struct {
		pattern string
		set     bool
	}
	var rules []rule
	data, _ := files.Read(".gitattributes") // an unreadable file has no rules
	for lines := bufio.NewScanner(bytes.NewReader(data)); lines.Scan() && len(rules) < 1000; {
		fields := strings.Fields(lines.Text())
		for _, attribute := range fields[min(1, len(fields)):] {
			name, value, _ := strings.Cut(strings.TrimPrefix(attribute, "-"), "=")
			if name == "linguist-vendored" || name == "linguist-generated" {
				rules = append(rules, rule{attributePattern(fields[0]), attribute[0] != '-' && value != "false"})
			}
		}
	}
	return func(name string) bool {
		for i := len(rules) - 1; i >= 0; i-- {
			if resources.MatchGlob(rules[i].pattern, name) {
				return rules[i].set
			}
		}
		return false
	}
}

// attributePattern converts a pattern of .gitattributes to a glob. A pattern without a
// slash matches names in any directory.
func attributePattern(pattern string) string {
	if strings.Contains(strings.TrimSuffix(pattern, "/"), "/") {
		return strings.TrimPrefix(pattern, "/")
	}
	return "**/" + pattern
}
