package edges

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"go/parser"
	"go/token"
	"io"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"strconv"
	"strings"
)

// goPackage contains the used fields of go list's output.
type goPackage struct {
	ImportPath, Dir string
	DepOnly         bool
	Standard        bool
}

// golang queries go list for each module: the directories of the packages that its files import.
func golang(root string, paths []string) (answers []answer, err error) {
	members := map[string][]string{} // files by directory
	all := map[string][]string{}
	for _, p := range paths {
		if dir := path.Dir(p); strings.HasSuffix(p, ".go") {
			all[dir] = append(all[dir], p)
			if !strings.HasSuffix(p, "_test.go") {
				members[dir] = append(members[dir], p)
			}
		}
	}
	for _, p := range paths {
		if path.Base(p) != "go.mod" {
			continue
		}
		packages, err := listPackages(filepath.Join(root, path.Dir(p)))
		if err != nil {
			return nil, err
		}
		dirs := map[string]string{} // directories by import path; empty for a package outside the repository
		for _, p := range packages {
			dirs[p.ImportPath] = relativeDir(root, p.Dir)
		}
		for _, p := range packages {
			if dir := relativeDir(root, p.Dir); dir != "" && !p.DepOnly {
				for _, file := range all[dir] {
					answers = append(answers, goAnswer(root, file, dirs, members))
				}
			}
		}
	}
	return answers, nil
}

// listPackages returns the packages of a module and their dependencies.
func listPackages(dir string) (packages []goPackage, err error) {
	cmd := exec.Command("go", "list", "-e", "-deps", "-test", "-json=ImportPath,Dir,DepOnly,Standard", "./...")
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "GOFLAGS=-mod=readonly")
	out, err := cmd.Output()
	if err != nil && len(out) == 0 {
		return nil, fmt.Errorf("list the packages in %s: %w", dir, err)
	}
	for d := json.NewDecoder(bytes.NewReader(out)); ; {
		var p goPackage
		switch err := d.Decode(&p); {
		case errors.Is(err, io.EOF):
			return packages, nil
		case err != nil:
			return nil, err
		}
		if !strings.ContainsAny(p.ImportPath, " ") && !strings.HasSuffix(p.ImportPath, ".test") { // test variants
			packages = append(packages, p)
		}
	}
}

// relativeDir returns a directory relative to the root, empty if it is outside.
func relativeDir(root, dir string) string {
	rest, err := filepath.Rel(root, dir)
	if err != nil || dir == "" || rest == ".." || strings.HasPrefix(rest, "../") || strings.Contains("/"+rest, "/vendor/") {
		return ""
	}
	return filepath.ToSlash(rest)
}

// goAnswer returns the targets of a file's imports. Imports unknown to go list are omitted.
func goAnswer(root, file string, dirs map[string]string, members map[string][]string) answer {
	a := answer{Path: file, Imports: map[string][]string{}}
	parsed, err := parser.ParseFile(token.NewFileSet(), filepath.Join(root, file), nil, parser.ImportsOnly)
	if err != nil {
		return a
	}
	for _, i := range parsed.Imports {
		from, _ := strconv.Unquote(i.Path.Value)
		if dir, known := dirs[from]; known && dir == "" {
			a.Imports[from] = []string{""}
		} else if known {
			a.Imports[from] = members[dir]
		}
	}
	return a
}
