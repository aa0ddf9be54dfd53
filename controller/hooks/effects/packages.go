package effects

import (
	"path/filepath"
	"strings"

	"github.com/idumb-dev/idumb/controller/hooks/hosts"
	"github.com/idumb-dev/idumb/resources/admission"
	"github.com/idumb-dev/idumb/resources/admission/command"
	"github.com/idumb-dev/idumb/resources/admission/packages"
)

// AddsByTool returns the packages that a tool call adds to manifests with its
// writes.
func (r Resolver) AddsByTool(e hosts.Event, paths []admission.Path) []admission.Added {
	return r.addedPackages(paths, func(p admission.Path, before []byte, there bool) ([]byte, bool) {
		if e.Patch != "" {
			return hosts.PatchResult(e.Patch, p.Given, before)
		}
		return contentAfter(e.Args, before, there), true
	})
}

// AddsByLine returns the packages that a command line adds: with package
// managers, and with redirections to manifests. A redirection counts only if
// the line contains the written text.
func (r Resolver) AddsByLine(line command.Reading) (all []admission.Added) {
	for _, c := range line.Runs {
		found, manifest := packages.Added(c.Words)
		for _, p := range found {
			all = append(all, admission.Added{Package: p, File: r.manifestAt(c, manifest), By: c.Part})
		}
	}
	for _, f := range line.Files {
		if !f.Holds.Known || !packages.IsManifest(f.Word.Text) {
			continue
		}
		at, _ := r.atFolder(f)
		if p, err := at.Resolve(f.Word.Text); err == nil {
			all = append(all, r.addedPackages([]admission.Path{p}, func(admission.Path, []byte, bool) ([]byte, bool) { return []byte(f.Holds.Text), true })...)
		}
	}
	return all
}

// manifestAt returns the path of the manifest that a command changes, relative
// to the root. If the folder is unknown, it returns the bare name.
func (r Resolver) manifestAt(c command.Run, manifest string) string {
	dir := r.atCommand(c).Cwd
	for i, w := range c.Words[:max(0, len(c.Words)-1)] {
		if w == "--prefix" || w == "--dir" || w == "--cwd" || w == "--project" {
			dir = filepath.Join(dir, c.Words[i+1])
		}
	}
	rel, err := filepath.Rel(r.Root, dir)
	if c.DirUnknown || err != nil || strings.HasPrefix(rel, "..") {
		return manifest
	}
	return filepath.ToSlash(filepath.Join(rel, manifest))
}

// addedPackages returns the packages that a call adds to the manifests among some
// files. after returns the content of a file after the call.
func (r Resolver) addedPackages(paths []admission.Path, after func(p admission.Path, before []byte, there bool) ([]byte, bool)) (all []admission.Added) {
	for _, p := range paths {
		if p.Repo == "" || p.Tree != "" || !packages.IsManifest(p.Repo) {
			continue
		}
		before, there := readBounded(filepath.Join(r.Root, filepath.FromSlash(p.Repo)))
		text, known := after(p, before, there)
		if !known {
			continue
		}
		for _, added := range packages.New(p.Repo, before, text) {
			all = append(all, admission.Added{Package: added, File: p.Repo})
		}
	}
	return all
}
