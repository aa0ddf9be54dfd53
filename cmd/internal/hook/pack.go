package hook

import (
	"crypto/sha256"
	"encoding/hex"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"github.com/idumb-dev/idumb/cmd/internal/searchindex"
	"github.com/idumb-dev/idumb/controller/store/filestore/layout"
	"github.com/idumb-dev/idumb/packer"
	"github.com/idumb-dev/idumb/resources"
	"github.com/idumb-dev/idumb/resources/admission"
)

// enough is how many objects may be read for packing where a controller has packed
// already: reading them again takes a few milliseconds, and says how things are now
// rather than how they were when it last looked.
const enough = 500

// context is the packed context for this session, within the host's limit: packed here
// and now, from the files, as the controller would; or, in a large repository where a
// controller lives, its own. Of a repository that the person does not trust it is one line
// that says so.
func (h *handler) context() string {
	if line, _ := h.repo.trustLine(); line != "" {
		return line
	}
	if h.repo.root.ControllerAlive() && h.repo.crowd() > enough {
		for _, name := range []string{h.sessionName(), ""} {
			data, _, err := h.repo.root.Read(layout.ContextPath(layout.PackName(name)), layout.MaxSpec)
			if err == nil && len(data) > 0 && characters(string(data)) <= h.limit {
				return string(data)
			}
		}
	}
	return h.packed()
}

// crowd is how many objects of kinds that packs are made of there are.
func (r *repo) crowd() int {
	n := 0
	for _, kind := range resources.Kinds() {
		if !kind.Single {
			n += len(r.list(kind.Plural))
		}
	}
	return n
}

// packed packs the context from the spec files, as the controller would.
func (h *handler) packed() string {
	s, _ := h.repo.Session(h.sessionName())
	snapshot := h.repo.snapshot()
	reader := packer.ReaderOf(snapshot, s)
	if reader.Limit = packer.LimitFor(h.limit); s == nil {
		reader.Role = h.role()
	}
	reader.Previous, reader.Index = h.repo.root.LastPack(h.sessionName()), searchindex.Read(h.repo.root)
	return string(packer.Build(packer.Gather(snapshot, reader)).Bytes)
}

// role is the role that the reader of the context acts in, nil if there is none.
func (h *handler) role() *resources.Role {
	return admission.RoleOf(admission.Call{Session: h.sessionName(), Agent: h.event.Agent, Role: h.recordedRole()}, h.repo)
}

// snapshot reads the whole repository.
func (r *repo) snapshot() *resources.Snapshot {
	in := resources.SnapshotInput{
		Now: r.now, SourceFile: r.sourceFile, SourceSection: r.root.SourceSection, CommitDays: func() []int { return r.root.CommitDays().Days }, Problems: map[resources.Key]resources.Problem{}, Sightings: map[string]*resources.Sightings{},
	}
	for _, kind := range resources.Kinds() {
		names := []string{kind.Plural}
		if !kind.Single {
			names = r.list(kind.Plural)
		}
		for _, name := range names {
			key := resources.Key{Kind: kind.Plural, Name: name}
			if o, ok := r.get(key); ok {
				in.Objects = append(in.Objects, o)
			}
			if p, broken := r.broken[key]; broken {
				in.Problems[key] = p
			}
		}
		in.Archived = append(in.Archived, r.archived(kind.Plural)...)
	}
	for _, name := range r.list(resources.Tasks) {
		if exists(r.root.Abs(layout.CheckpointPath(name))) {
			in.Sightings[name] = r.sightings(name)
		}
	}
	return resources.NewSnapshot(in)
}

// archived lists what was set aside of a kind.
func (r *repo) archived(kind string) []resources.Key {
	var keys []resources.Key
	entries, _ := os.ReadDir(r.root.Abs(layout.ArchiveDir + "/" + kind))
	for _, e := range entries {
		if name, ok := layout.ObjectName(e.Name()); ok {
			keys = append(keys, resources.Key{Kind: kind, Name: name})
		}
	}
	return keys
}

// maxSource is how much of an anchor's source file is hashed.
const maxSource = 16 << 20

// sourceFile reports on a file that an anchor is about. It stays in the repository.
func (r *repo) sourceFile(name string) (modTime time.Time, sum string, found bool) {
	if !filepath.IsLocal(filepath.FromSlash(name)) {
		return time.Time{}, "", false
	}
	root, err := os.OpenRoot(string(r.root))
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
