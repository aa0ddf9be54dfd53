package lint

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/idumb-dev/idumb/resources"
	"github.com/idumb-dev/idumb/resources/admission/packages"
	"github.com/idumb-dev/idumb/resources/project"
	"github.com/idumb-dev/idumb/resources/project/technologies"
)

// Limits of a stack. Content beyond these limits makes it partial.
const (
	maxStackFiles = 1_000
	maxStackUses  = 20_000
)

// StackOf returns the packages in a repository's manifests and the positions of its
// technologies, with the checksums of the files. found contains the technologies of the
// files. It ignores vendored and fixture files. The result only depends on the files.
func StackOf(files project.Files, found []technologies.Technology) resources.Stack {
	s := stacking{files: files, at: map[string]*resources.StackFile{}}
	vendored := project.Vendored(files)
	for _, path := range files.Paths() {
		if packages.IsManifest(path) && !vendored(path) && !project.IsFixture(path) {
			s.manifest(path)
		}
	}
	for _, t := range found {
		if t.Category != "language" || t.Version != "" { // otherwise only source files indicate it, which change with every edit
			s.technology(t)
		}
	}
	for _, f := range s.at {
		s.Files = append(s.Files, *f)
	}
	slices.SortFunc(s.Files, func(a, b resources.StackFile) int { return cmp.Compare(a.Path, b.Path) })
	s.Seen = true
	return s.Stack
}

// stacking is one scan of the manifests.
type stacking struct {
	resources.Stack
	files project.Files
	at    map[string]*resources.StackFile
	uses  int
}

// file returns the entry of a file. It returns the text only with a new entry.
// It returns nil if the file is unreadable or the limit is reached.
func (s *stacking) file(path string) (*resources.StackFile, []byte) {
	if f := s.at[path]; f != nil {
		return f, nil
	}
	data, err := s.files.Read(path)
	if err != nil {
		return nil, nil
	}
	if len(s.at) == maxStackFiles {
		s.Partial = true
		return nil, nil
	}
	sum := sha256.Sum256(data)
	f := &resources.StackFile{Path: path, SHA256: hex.EncodeToString(sum[:])}
	s.at[path] = f
	return f, data
}

// manifest adds the packages in a manifest.
func (s *stacking) manifest(path string) {
	f, data := s.file(path)
	if f == nil {
		return
	}
	lines := strings.Split(string(data), "\n")
	for _, p := range packages.In(path, data) {
		s.add(f, resources.StackUse{Name: p.Name, Version: p.Version, Line: lineWith(lines, p.Name)})
	}
}

// technology adds a technology at the line with its version, unless the manifest there
// contains the same package.
func (s *stacking) technology(t technologies.Technology) {
	for _, evidence := range t.Evidence {
		file, line, _ := strings.Cut(evidence, ":")
		n, err := strconv.Atoi(line)
		if err != nil {
			continue
		}
		if f, _ := s.file(file); f != nil {
			if !s.stated(t) {
				s.add(f, resources.StackUse{Name: t.Name, Version: t.Version, Line: n})
			}
			return
		}
	}
}

// stated reports whether a manifest in the same workspace names a package like the
// technology, with a version.
func (s *stacking) stated(t technologies.Technology) bool {
	for path, f := range s.at {
		if folderOf(path) == t.Dir && packages.IsManifest(path) && slices.ContainsFunc(f.Uses, func(use resources.StackUse) bool {
			return strings.ContainsAny(use.Version, "0123456789") && packages.Package{Name: use.Name}.Is(packages.Package{Name: t.Name})
		}) {
			return true
		}
	}
	return false
}

// folderOf returns the directory of a path, "." for the root.
func folderOf(path string) string {
	if at := strings.LastIndexByte(path, '/'); at >= 0 {
		return path[:at]
	}
	return "."
}

// add adds a package to the entry of its file. After maxStackUses packages it marks the result as
// partial instead.
func (s *stacking) add(f *resources.StackFile, use resources.StackUse) {
	if s.uses == maxStackUses {
		s.Partial = true
		return
	}
	s.uses++
	f.Uses = append(f.Uses, use)
}

// lineWith returns the first line that contains a name as a word, or 1.
func lineWith(lines []string, name string) int {
	whole := func(line string) bool {
		for from := 0; ; {
			at := strings.Index(line[from:], name)
			if at < 0 {
				return false
			}
			at += from
			if from = at + len(name); !ofName(line, at-1) && !ofName(line, from) {
				return true
			}
		}
	}
	return 1 + max(0, slices.IndexFunc(lines, whole))
}

// ofName reports whether the character at an offset can be part of a name.
func ofName(line string, at int) bool {
	if at < 0 || at >= len(line) {
		return false
	}
	c := line[at]
	return c == '-' || c == '_' || c == '/' || c == '@' && at > 0 && line[at-1] != '"' && line[at-1] != ' ' || c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z'
}

// decisions finds packages and technologies that resolved decisions avoid.
func (t *Tree) decisions() (all []Finding) {
	if len(t.Decisions) == 0 {
		return nil
	}
	for _, f := range StackOf(t.Files, technologies.Find(t.Files)).Files {
		if !t.covers(f.Path) {
			continue
		}
		for _, use := range f.Uses {
			all = append(all, t.avoided(packages.Package{Name: use.Name, Version: use.Version}, f.Path, use.Line)...)
		}
	}
	return all
}

// avoided returns the findings for one package: one for each applicable decision that
// avoids it.
func (t *Tree) avoided(p packages.Package, file string, line int) (all []Finding) {
	for _, d := range t.Decisions {
		if len(d.Spec.Paths) > 0 && !resources.MatchesAny(file, d.Spec.Paths) {
			continue
		}
		for _, entry := range d.Spec.Avoids {
			if p.Is(packages.Named(entry)) {
				all = append(all, Finding{Rule: Decision, File: file, Line: line, Symbol: p.Name, Words: p.String(),
					Is: fmt.Sprintf("decision %s avoids %s", d.Metadata.Name, entry), Evidence: "decision/" + d.Metadata.Name})
				break
			}
		}
	}
	return all
}
