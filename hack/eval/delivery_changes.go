package main

import (
	"fmt"
	"os"
	"path"
	"regexp"
	"slices"
	"strings"
)

// change is a commit with the declarations that it changed.
type change struct {
	id, parent, subject, body string
	files                     []string // changed code files, without the files that it created
	symbols                   []symbol // changed declarations in order, without duplicates
}

// symbol is a declaration in a file.
type symbol struct{ file, name string }

// mostHistory is the maximal number of commits: the tasks, and the earlier commits for mems.
const mostHistory = 3000

// declared is git's pattern for lines that begin a declaration of TypeScript. Git has a pattern for
// Go.
const declared = `!^[ 	]*(if|for|while|switch|return|catch|else|do|try|throw|await|new)[ 	(]
!=>[ 	]*\{$
^((export|default|async|abstract|declare)[ 	]+)*(function|class|interface|enum|type|const|let|namespace)[ 	*]+[A-Za-z_$].*$
^  ((public|private|protected|static|async|override|get|set|readonly)[ 	]+)*[A-Za-z_#$][A-Za-z0-9_$]*[ 	]*(<[^>]*>)?\(.*\{$`

// historyChanges reads the last commits of the current branch that changed code, oldest first,
// without merges.
func historyChanges(dir string) ([]change, error) {
	attributes, err := os.CreateTemp("", "attributes-")
	if err != nil {
		return nil, err
	}
	defer os.Remove(attributes.Name())
	if _, err = attributes.WriteString("*.go diff=golang\n*.ts diff=evaldeclarations\n"); err == nil {
		err = attributes.Close()
	}
	if err != nil {
		return nil, err
	}
	out, err := git(dir, "-c", "core.attributesFile="+attributes.Name(), "-c", "diff.evaldeclarations.xfuncname="+declared,
		"log", "--no-merges", "--topo-order", "-n", fmt.Sprint(mostHistory), "-p", "-U0", "--no-color", "--no-ext-diff", "--no-renames",
		"--src-prefix=a/", "--dst-prefix=b/", "--format=%x01%x02%H%x02%P%x02%s%x02%b%x02", "--", "*.go", "*.ts")
	if err != nil {
		return nil, err
	}
	var changes []change
	for _, text := range strings.Split(string(out), "\x01\x02")[1:] {
		parts := strings.SplitN(text, "\x02", 5)
		if len(parts) < 5 {
			return nil, fmt.Errorf("git log in %s: %q has no body", dir, text)
		}
		parent, _, _ := strings.Cut(parts[1], " ")
		c := change{id: parts[0], parent: parent, subject: parts[2], body: parts[3]}
		if c.readPatch(parts[4]); parent != "" {
			changes = append(changes, c)
		}
	}
	slices.Reverse(changes)
	return changes, nil
}

// isTest reports whether a file contains tests, or generated or vendored code.
func isTest(file string) bool {
	name, folder := path.Base(file), "/"+path.Dir(file)+"/"
	return strings.HasSuffix(name, "_test.go") || strings.Contains(name, "_spec.") || strings.Contains(name, ".spec.") || strings.HasSuffix(name, ".d.ts") || strings.HasPrefix(name, "z") && strings.Contains(name, "_") ||
		strings.Contains(folder, "/test") || strings.Contains(folder, "/vendor/") || strings.Contains(folder, "/third_party/")
}

// readPatch collects the declarations that a patch changes.
func (c *change) readPatch(patch string) {
	file, in := "", ""
	for line := range strings.Lines(patch) {
		line = strings.TrimRight(line, "\r\n")
		switch {
		case strings.HasPrefix(line, "diff --git "):
			file = ""
		case strings.HasPrefix(line, "--- "):
			file = strings.TrimPrefix(strings.TrimPrefix(line, "--- "), "a/")
			if file == "/dev/null" || isTest(file) {
				file = ""
			}
		case strings.HasPrefix(line, "+++ "):
			if file != "" && line != "+++ /dev/null" {
				c.files = append(c.files, file)
			}
		case strings.HasPrefix(line, "@@ "):
			_, head, _ := strings.Cut(line[3:], "@@")
			in = declares(strings.TrimPrefix(head, " "))
		case file != "" && line != "" && (line[0] == '+' || line[0] == '-'):
			text := line[1:]
			if name := declares(text); name != "" {
				in = name
			}
			c.changes(file, in, text)
		}
	}
}

// changes records a changed line of a declaration. It ignores lines without code, and lines at the
// margin that declare nothing.
func (c *change) changes(file, in, text string) {
	bare := strings.TrimLeft(strings.TrimSpace(text), "{}()[];,")
	outside := text == strings.TrimLeft(text, " \t") && declares(text) == ""
	if s := (symbol{file, in}); in != "" && bare != "" && !outside && !isComment(bare) && !slices.Contains(c.symbols, s) {
		c.symbols = append(c.symbols, s)
	}
}

func isComment(line string) bool {
	return strings.HasPrefix(line, "//") || strings.HasPrefix(line, "*") || strings.HasPrefix(line, "/*")
}

var (
	goDeclares = regexp.MustCompile(`^(?:func (?:\(\s*\w*\s*\*?(\w+)[^)]*\) )?(\w+)|(?:type|var|const) (\w+))`)
	tsDeclares = regexp.MustCompile(`^(?:(?:(?:export|default|async|abstract|declare)\s+)*(?:function|class|interface|enum|type|const|let|namespace)[\s*]+([A-Za-z_$][\w$]*)|  (?:(?:public|private|protected|static|async|override|get|set|readonly)\s+)*([A-Za-z_#$][\w$]*)\s*(?:<[^>]*>)?\(.*[^>]\s*\{$)`)
	noMethod   = regexp.MustCompile(`^\s*(if|for|while|switch|return|catch|else|do|try|throw|await|new)\b|=>\s*\{$`)
)

// declares returns the name of the declaration that a line begins, empty for other lines.
func declares(line string) string {
	if m := goDeclares.FindStringSubmatch(line); m != nil {
		if m[1] != "" {
			return m[1] + "." + m[2]
		}
		return m[2] + m[3]
	}
	if m := tsDeclares.FindStringSubmatch(line); m != nil && (m[1] != "" || !noMethod.MatchString(line)) {
		return m[1] + m[2]
	}
	return ""
}
