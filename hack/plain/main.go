// Command plain counts phrases of translated prose in Go comments, string literals, help texts,
// Markdown files and names of declarations. It fails if a class has more than its limit.
//
//	go run ./hack/plain [-v] [-limits FILE] [-max CLASS=N,...] FOLDER...
package main

import (
	"bufio"
	"errors"
	"flag"
	"fmt"
	"go/scanner"
	"go/token"
	"io"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

const (
	comments = "comments" // Go comments outside tests
	literals = "strings"  // Go string literals of three words or more, outside tests
	helps    = "help"     // lines of help.txt
	markdown = "md"       // lines of *.md outside code blocks
	names    = "names"    // Go declarations outside tests
)

// A line is a unit of the count.
type line struct {
	class, text string
	number      int
}

func main() {
	if err := run(os.Args[1:], os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "plain:", err)
		os.Exit(1)
	}
}

func run(args []string, out io.Writer) error {
	flags := flag.NewFlagSet("plain", flag.ContinueOnError)
	verbose := flags.Bool("v", false, "list each hit with its replacement")
	file := flags.String("limits", "", "a `file` with a class and its limit of hits in 1,000 lines per row")
	most := flags.String("max", "", "`limits` of hits in 1,000 lines: CLASS=N,...")
	if err := flags.Parse(args); err != nil {
		return err
	}
	limits, err := readLimits(*file, *most)
	if err != nil {
		return err
	}
	c := counter{patterns: phrases(), words: words(), lines: map[string]int{}, hits: map[string]int{}}
	if *verbose {
		c.list = out
	}
	for _, folder := range flags.Args() {
		if err := c.count(folder); err != nil {
			return err
		}
	}
	var over []error
	for _, class := range slices.Sorted(maps.Keys(c.lines)) {
		rate := 1000 * c.hits[class] / c.lines[class]
		fmt.Fprintf(out, "%-10s %5d of %6d lines, %3d in 1,000", class, c.hits[class], c.lines[class], rate)
		limit, limited := limits[class]
		if limited {
			fmt.Fprintf(out, " (limit %d)", limit)
		}
		fmt.Fprintln(out)
		if limited && rate > limit {
			over = append(over, fmt.Errorf("%s: %d hits in 1,000 lines, limit %d; go run ./hack/plain -v lists them", class, rate, limit))
		}
	}
	return errors.Join(over...)
}

// readLimits reads limits from a file and from the value of -max, which takes precedence.
func readLimits(file, most string) (map[string]int, error) {
	limits := map[string]int{}
	var rows []string
	if file != "" {
		data, err := os.ReadFile(file)
		if err != nil {
			return nil, err
		}
		rows = strings.Split(strings.TrimSpace(string(data)), "\n")
	}
	if most != "" {
		rows = append(rows, strings.Split(most, ",")...)
	}
	for _, row := range rows {
		fields := strings.FieldsFunc(row, func(r rune) bool { return r == '\t' || r == '=' })
		if len(fields) != 2 || !slices.Contains([]string{comments, literals, helps, markdown, names}, fields[0]) {
			return nil, fmt.Errorf("invalid limit %q; write CLASS=N", row)
		}
		n, err := strconv.Atoi(fields[1])
		if err != nil {
			return nil, fmt.Errorf("invalid limit %q: %w", row, err)
		}
		limits[fields[0]] = n
	}
	return limits, nil
}

// counter counts lines and hits per class.
type counter struct {
	patterns    []pattern
	words       map[string]bool
	lines, hits map[string]int
	list        io.Writer // lists hits; nil lists none
}

// count adds the files below a folder.
func (c *counter) count(folder string) error {
	return filepath.WalkDir(folder, func(path string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if entry.IsDir() {
			if slices.Contains([]string{"vendor", ".git", "testdata", "node_modules", "third_party"}, entry.Name()) {
				return filepath.SkipDir
			}
			return nil
		}
		data, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		for _, l := range linesOf(filepath.Base(path), string(data)) {
			c.lines[l.class]++
			found := c.find(l)
			if len(found) == 0 || excepted(path, l.text) {
				continue
			}
			c.hits[l.class]++
			if c.list != nil {
				fmt.Fprintf(c.list, "%s:%d: [%s] %s\n", path, l.number, strings.Join(found, "; "), strings.TrimSpace(l.text))
			}
		}
		return nil
	})
}

// find returns the names of the matching patterns with their replacements.
func (c *counter) find(l line) (found []string) {
	if l.class == names {
		if c.words[strings.ToLower(l.text)] {
			found = append(found, "name: a noun for a type, a verb for a function")
		}
		return found
	}
	for i := range c.patterns {
		p := &c.patterns[i]
		if (l.class == helps || l.class == markdown) && p.start || p.doc && l.class != comments {
			continue
		}
		if p.matches(l.text) {
			found = append(found, p.name+": "+p.instead)
		}
	}
	return found
}

// linesOf returns the lines of a file that count.
func linesOf(name, text string) []line {
	switch {
	case strings.HasSuffix(name, "_test.go"):
		return nil
	case strings.HasSuffix(name, ".go"):
		if strings.HasPrefix(name, "zz_generated") || strings.Contains(name, ".pb.") || strings.Contains(text[:min(len(text), 2000)], "DO NOT EDIT") {
			return nil
		}
		return goLines(text)
	case name == "help.txt":
		return textLines(helps, text)
	case strings.HasSuffix(name, ".md"):
		return textLines(markdown, text)
	}
	return nil
}

// textLines returns the lines of a text, without empty lines, examples and code blocks.
func textLines(class, text string) (all []line) {
	fence, n := false, 0
	scan := bufio.NewScanner(strings.NewReader(text))
	for scan.Scan() {
		n++
		switch t := scan.Text(); {
		case class == markdown && strings.HasPrefix(strings.TrimSpace(t), "```"):
			fence = !fence
		case strings.TrimSpace(t) == "", fence, class == markdown && strings.HasPrefix(t, "    "), class == helps && strings.HasPrefix(t, "  idumb "):
		default:
			all = append(all, line{class, t, n})
		}
	}
	return all
}

// goLines returns comments, string literals and names of a Go file.
func goLines(text string) (all []line) {
	boiler := regexp.MustCompile(`^(go:|\+build|nolint|Copyright|Licensed|export |Output:|Unordered output:)`)
	word := regexp.MustCompile(`[A-Za-z]{2,}`)
	tagDoc := regexp.MustCompile("^`json:\".* doc:(\"[^\"]*\")`$") // the text of a field's tag
	declaration := regexp.MustCompile(`^(?:func (?:\([^)]*\) )?|type )([A-Za-z_]\w*)|^\t([A-Za-z_]\w*)\s+[\w\[\]*.]+(?:\s+` + "`[^`]*`" + `)?\s*(?://.*)?$`)
	files := token.NewFileSet()
	file := files.AddFile("", files.Base(), len(text))
	var s scanner.Scanner
	s.Init(file, []byte(text), nil, scanner.ScanComments)
	for {
		at, kind, literal := s.Scan()
		if kind == token.EOF {
			break
		}
		first := file.Line(at)
		switch kind {
		case token.COMMENT:
			for i, t := range strings.Split(literal, "\n") {
				t = strings.Trim(strings.TrimPrefix(strings.TrimPrefix(t, "//"), "/*"), " *\t/")
				if t != "" && !boiler.MatchString(t) {
					all = append(all, line{comments, t, first + i})
				}
			}
		case token.STRING:
			if m := tagDoc.FindStringSubmatch(literal); m != nil {
				literal = m[1]
			}
			for i, t := range strings.Split(literal[1:len(literal)-1], "\n") {
				if strings.Contains(t, " ") && len(word.FindAllString(t, -1)) >= 3 {
					all = append(all, line{literals, t, first + i})
				}
			}
		}
	}
	for i, t := range strings.Split(text, "\n") {
		if m := declaration.FindStringSubmatch(t); m != nil {
			all = append(all, line{names, m[1] + m[2], i + 1})
		}
	}
	return all
}
