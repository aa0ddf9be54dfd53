// Command platforms type-checks the project for other platforms: each package with the files and
// the libraries of that platform, with go/types. Compiling for a platform would take thirty times
// as long.
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
		fmt.Printf("%s: %d packages and their imports pass the type check\n", system, packages)
	}
	if failed {
		os.Exit(1)
	}
}

// listed is the output of go list for a package.
type listed struct {
	ImportPath, Dir string
	Standard        bool
	Module          *struct{ Main bool }
	GoFiles         []string
	ImportMap       map[string]string
	Error           *struct{ Err string }
}

// check checks the packages of the module in the working directory, and their imports, for a
// system. It returns the number of packages in the module.
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
	for decoder := json.NewDecoder(out); ; { // imports precede their importers
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

// checked contains the checked packages by import path.
type checked map[string]*types.Package

// add checks a package after its imports, and returns its errors. Of packages outside the module
// only the declarations are checked.
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
	c[p.ImportPath], _ = config.Check(p.ImportPath, files, parsed, nil) // the callback Error collects the errors
	return wrong
}

// imports resolves the imports of one package.
type imports struct {
	checked
	renamed map[string]string // vendored packages of the standard library
}

// Import returns the package for an import path in the importing package.
func (i imports) Import(path string) (*types.Package, error) {
	if to, ok := i.renamed[path]; ok {
		path = to
	}
	if p := i.checked[path]; p != nil {
		return p, nil
	}
	return nil, fmt.Errorf("%s was not listed", path)
}
