package hooks

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"github.com/idumb-dev/idumb/controller/store/layout"
	"github.com/idumb-dev/idumb/packer"
	"github.com/idumb-dev/idumb/resources"
	"github.com/idumb-dev/idumb/resources/graph"
	"github.com/idumb-dev/idumb/resources/source"
	"github.com/idumb-dev/idumb/resources/status"
)

// packing packs as the controller does, from the files as they are: what a session is told
// is tested without a process beside the test.
type packing struct{ repo *repo }

func openPacking(root layout.Root, env environment, now time.Time) *repo {
	r := Backend{}.open(root, env, now)
	r.contexts = packing{r}
	return r
}

func (p packing) Pack(reader PackReader) (string, time.Time) {
	snapshot := p.repo.snapshot()
	to := packer.Reader{Session: reader.Record, Limit: packer.LimitFor(reader.Limit), Rights: reader.Rights, Previous: p.repo.LastPack(reader.Name)}
	return string(packer.Make(snapshot, to).Bytes), time.Time{}
}

func (p packing) Update(before, now string, known []string) string {
	return packer.Update([]byte(before), []byte(now), known)
}

func (p packing) Compaction(pack string, limit int) string {
	return packer.Compaction([]byte(pack), limit)
}

// memory is the repository read anew: what is recalled does not count as read by the hook.
func (p packing) memory() *graph.Snapshot {
	return Backend{}.open(p.repo.Root, p.repo.env, p.repo.now).snapshot()
}

func (p packing) PackSnippets(pack string) []Snippet {
	return told(packer.PackSnippets(p.memory(), []byte(pack)))
}

func (p packing) PromptSnippets(prompt string, known func(Snippet) bool) []Snippet {
	return told(packer.PromptSnippets(p.memory(), nil, prompt, knownTo(known)))
}

func (p packing) Fingerprint(output string) []string { return packer.Fingerprint(output, false) }

func (p packing) FileSnippets(file string, work FileWork, known func(Snippet) bool) []Snippet {
	return told(packer.FileSnippets(p.memory(), file, packer.FileWork(work), knownTo(known)))
}

func (p packing) FileClaims(file string) []Snippet { return told(packer.FileClaims(p.memory(), file)) }

func (p packing) FailureSnippets(output string, sure bool, known func(Snippet) bool) []Snippet {
	return told(packer.FailureSnippets(p.memory(), nil, output, sure, knownTo(known)))
}

func (p packing) Comments() string { return "" }

func (p packing) ExpiredSnippets(_ string, ids func() []string) ([]Snippet, bool) {
	return told(packer.ExpiredSnippets(p.memory(), ids())), true
}

func told(list []packer.Snippet) (all []Snippet) {
	for _, t := range list {
		all = append(all, Snippet(t))
	}
	return all
}

func knownTo(known func(Snippet) bool) func(packer.Snippet) bool {
	return func(t packer.Snippet) bool { return known(Snippet(t)) }
}

// problemOf is what is wrong with a file that cannot be read.
func problemOf(root layout.Root, key resources.Key) resources.Problem {
	var p resources.Problem
	data, _, err := root.Read(layout.Path(key), layout.MaxSpec)
	if err == nil {
		_, _, err = resources.Read(key, data)
	}
	if !errors.As(err, &p) && err != nil {
		p.Reason = err.Error()
	}
	p.Key, p.Object, p.File = key, key.String(), layout.Path(key)
	return p
}

// commitDays are the days that a controller found last.
func (r *repo) commitDays() []int {
	var found struct{ Days []int }
	data, _, _ := r.Root.Read(layout.CommitDaysFile, layout.MaxSpec)
	_ = json.Unmarshal(data, &found)
	return found.Days
}

// snapshot reads the whole repository.
func (r *repo) snapshot() *graph.Snapshot {
	in := graph.SnapshotInput{
		Now: r.now, SourceFile: r.sourceFile, SourceDocument: r.sourceDocument, CommitDays: r.commitDays, Problems: map[resources.Key]resources.Problem{}, Evidence: map[string]*status.Evidence{},
	}
	for _, kind := range resources.Kinds() {
		names := []string{kind.Plural}
		if !kind.Single {
			names = r.Names(kind.Plural)
		}
		for _, name := range names {
			key := resources.Key{Kind: kind.Plural, Name: name}
			if o, ok := r.Get(key); ok {
				in.Objects = append(in.Objects, o)
			}
			if _, state := r.overlay.Get(key); state == graph.Broken {
				in.Problems[key] = problemOf(r.Root, key)
			}
		}
		in.Archived = append(in.Archived, r.archived(kind.Plural)...)
	}
	for _, name := range r.Names(resources.Tasks) {
		if exists(r.Abs(layout.CheckpointPath(name))) {
			in.Evidence[name] = r.overlay.Evidence(name)
		}
	}
	return graph.NewSnapshot(in)
}

// archived lists what was set aside of a kind.
func (r *repo) archived(kind string) []resources.Key {
	var keys []resources.Key
	entries, _ := os.ReadDir(r.Abs(layout.ArchiveDir + "/" + kind))
	for _, e := range entries {
		if name, ok := layout.ObjectName(e.Name()); ok {
			keys = append(keys, resources.Key{Kind: kind, Name: name})
		}
	}
	return keys
}

// maxSource is how much of an anchor's source file is hashed.
const maxSource = 16 << 20

// sourceDocument reads a planning document.
func (r *repo) sourceDocument(name string) resources.Document {
	text, err := os.ReadFile(r.Abs(name))
	if err != nil {
		return resources.Document{}
	}
	return source.ReadDocument(name, text)
}

// sourceFile reports on a file that an anchor is about. It stays in the repository.
func (r *repo) sourceFile(name string) (modTime time.Time, sum string, found bool) {
	if !filepath.IsLocal(filepath.FromSlash(name)) {
		return time.Time{}, "", false
	}
	root, err := os.OpenRoot(string(r.Root))
	if err != nil {
		return time.Time{}, "", false
	}
	defer root.Close()
	info, err := root.Lstat(filepath.FromSlash(name))
	if err != nil || info.Mode()&fs.ModeType != 0 {
		return time.Time{}, "", err == nil
	}
	f, err := root.Open(filepath.FromSlash(name))
	if err != nil {
		return info.ModTime(), "", true
	}
	defer f.Close()
	hash := sha256.New()
	if _, err := io.Copy(hash, io.LimitReader(f, maxSource)); err != nil {
		return info.ModTime(), "", true
	}
	return info.ModTime(), hex.EncodeToString(hash.Sum(nil)), true
}
