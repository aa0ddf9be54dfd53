// Command platforms reads the project as other platforms see it, and says what does not hold there:
// each package with the files and the libraries of that platform, checked by go/types. To compile
// all that for a platform that nothing runs on takes thirty times as long.
//
//	go run ./hack/platforms darwin windows
package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
)

func main() {
	if len(os.Args) < 2 {
		fmt.Fprintln(os.Stderr, "usage: platforms GOOS...")
		os.Exit(2)
	}
	failed := false
	for _, system := range os.Args[1:] {
		packages, err := check(system)
		if err != nil {
			failed = true
			fmt.Fprintf(os.Stderr, "%s: %v\n", system, err)
			continue
		}
		fmt.Printf("%s: %d packages and what they import hold\n", system, packages)
	}
	if failed {
		os.Exit(1)
	}
}

// listed is what go list says of a package.
type listed struct {
	ImportPath, Dir string
	Standard        bool
	Module          *struct{ Main bool }
	GoFiles         []string
	ImportMap       map[string]string
	Error           *struct{ Err string }
}

// check checks the packages of the module in the working folder, and what they import, for a
// system. It returns how many the module has.
func check(system string) (own int, err error) {
	list := exec.Command("go", "list", "-e", "-deps", "-json=ImportPath,Dir,Standard,Module,GoFiles,ImportMap,Error", "./...")
	list.Env = append(os.Environ(), "GOOS="+system, "CGO_ENABLED=0")
	list.Stderr = os.Stderr
	out, err := list.StdoutPipe()
	if err != nil {
		return 0, err
	}
	if err := list.Start(); err != nil {
		return 0, err
	}
	known := checked{"unsafe": types.Unsafe}
	var wrong []error
	for decoder := json.NewDecoder(out); ; { // what is imported comes first
		var p listed
		if err := decoder.Decode(&p); errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			return 0, fmt.Errorf("reading go list: %w", err)
		}
		if p.Module != nil && p.Module.Main {
			own++
		}
		wrong = append(wrong, known.add(p)...)
	}
	return own, errors.Join(append(wrong, list.Wait())...)
}

// checked are the packages that were checked, by import path.
type checked map[string]*types.Package

// add checks a package whose imports were added, and returns what is wrong with it. Of others'
// packages only what they declare is read.
func (c checked) add(p listed) (wrong []error) {
	if p.ImportPath == "unsafe" {
		return nil
	}
	if p.Error != nil {
		return []error{fmt.Errorf("%s: %s", p.ImportPath, p.Error.Err)}
	}
	files := token.NewFileSet()
	var parsed []*ast.File
	for _, name := range p.GoFiles {
		file, err := parser.ParseFile(files, filepath.Join(p.Dir, name), nil, parser.SkipObjectResolution)
		if err != nil {
			return []error{err}
		}
		parsed = append(parsed, file)
	}
	ours := p.Module != nil && p.Module.Main
	config := types.Config{
		Importer:         imports{c, p.ImportMap},
		Sizes:            types.SizesFor("gc", runtime.GOARCH),
		IgnoreFuncBodies: !ours,
		FakeImportC:      true,
		Error: func(err error) {
			if ours {
				wrong = append(wrong, err)
			}
		},
	}
	c[p.ImportPath], _ = config.Check(p.ImportPath, files, parsed, nil) // Error has heard of it
	return wrong
}

// imports finds what one package imports among those that were checked.
type imports struct {
	checked
	renamed map[string]string // of the standard library's vendored ones
}

// Import returns the package of an import as the importing one writes it.
func (i imports) Import(path string) (*types.Package, error) {
	if to, ok := i.renamed[path]; ok {
		path = to
	}
	if p := i.checked[path]; p != nil {
		return p, nil
	}
	return nil, fmt.Errorf("%s was not listed", path)
}
