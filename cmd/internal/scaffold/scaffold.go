// Package scaffold holds what idumb init puts into a repository: the folders of
// .idumb, its README for agents, the JSON Schemas, the shipped roles and the
// default settings.
package scaffold

import (
	"bytes"
	"crypto/sha256"
	"embed"
	"encoding/hex"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"

	"github.com/idumb-dev/idumb/controller/store/layout"
	"github.com/idumb-dev/idumb/resources"
)

//go:embed files
var files embed.FS

// Entry is one folder or file below .idumb.
type Entry struct {
	Path string      // from .idumb, with '/'
	Mode fs.FileMode // with fs.ModeDir for a folder
	Data []byte      // of a file
	Ours bool        // generated: nothing in it is a person's choice, Renew replaces it
}

// Sets of roles that init writes.
const (
	CoreRoles = "core" // who plans, who finds out, who builds, and who does all of it alone
	FullRoles = "full" // those, and a role for each part that an agent may play
)

// RoleSets lists the sets of roles, the default first.
func RoleSets() []string { return []string{CoreRoles, FullRoles} }

// Entries returns everything that init makes, with a set of roles, folders before what
// is in them, in the order in which it is made: the same on every call.
func Entries(set string) ([]Entry, error) {
	config, err := settings()
	if err != nil {
		return nil, err
	}
	roles, err := roles(set)
	if err != nil {
		return nil, err
	}
	entries := slices.Concat(folders(), []Entry{ignore(), readme()}, schemas(), roles)
	for _, kind := range []string{resources.ChainRules, resources.Triggers} {
		shipped, err := objectsIn(kind, kind)
		if err != nil {
			return nil, err
		}
		entries = append(entries, shipped...)
	}
	return append(entries, config), nil
}

// folders are those of the kinds, and where commands and hooks find their lock
// and this machine's records.
func folders() []Entry {
	list := []Entry{folder("schemas")}
	for _, k := range resources.Kinds() {
		if !k.Single {
			list = append(list, folder(k.Plural))
		}
	}
	for _, name := range []string{"archive", "checkpoints", "context", "events", "quarantine", "derived", "status", "run"} {
		list = append(list, folder(name))
	}
	return list
}

// Names are what may stand in .idumb itself: what init makes, and what is local to a machine.
func Names() []string {
	names := []string{layout.IgnoreFile, readmeFile}
	for _, e := range folders() {
		names = append(names, e.Path)
	}
	for _, file := range append(layout.LocalDirs(), layout.LocalFiles()...) {
		names = append(names, path.Base(file))
	}
	for _, k := range resources.Kinds() {
		if k.Single {
			names = append(names, k.Plural, k.Plural+".json")
		}
	}
	return names
}

// folder has the mode that the store would give it: what is local to this machine
// is its owner's alone.
func folder(name string) Entry {
	return Entry{Path: name, Mode: fs.ModeDir | layout.FolderMode(layout.Dir+"/"+name)}
}

func ignore() Entry {
	return Entry{Path: layout.IgnoreFile, Mode: 0o644, Data: embedded("gitignore"), Ours: true}
}

const readmeFile = "README.md"

func readme() Entry {
	var b bytes.Buffer
	b.Write(embedded("README.md"))
	writeSettings(&b)
	return Entry{Path: readmeFile, Mode: 0o644, Data: b.Bytes(), Ours: true}
}

func schemas() []Entry {
	var list []Entry
	for _, k := range resources.Kinds() {
		list = append(list, Entry{Path: "schemas/" + k.Singular + ".json", Mode: 0o644, Data: resources.Schema(k), Ours: true})
	}
	return list
}

// roleFolders are where the files of each set stand.
var roleFolders = [...]struct {
	set     string
	folders []string
}{
	{CoreRoles, []string{"roles"}},
	{FullRoles, []string{"roles", "roles-full"}},
}

func roles(set string) ([]Entry, error) {
	for _, row := range roleFolders {
		if row.set == set {
			return objectsIn(resources.Roles, row.folders...)
		}
	}
	return nil, fmt.Errorf("there is no set of roles %q; use %s", set, strings.Join(RoleSets(), " or "))
}

// ShippedRoles returns the roles of a set as they ship, in the order in which init writes
// them: whoever makes something of them for a host must not read what a repository says.
func ShippedRoles(set string) ([]*resources.Role, error) {
	entries, err := roles(set)
	if err != nil {
		return nil, err
	}
	var list []*resources.Role
	for _, e := range entries {
		name := strings.TrimSuffix(path.Base(e.Path), ".json")
		o, _, err := resources.Read(resources.Key{Kind: resources.Roles, Name: name}, e.Data)
		if err != nil {
			return nil, err
		}
		list = append(list, o.(*resources.Role))
	}
	return list, nil
}

// objectsIn lists the objects of a kind in some folders, of two of one name the later one.
func objectsIn(kind string, folders ...string) ([]Entry, error) {
	var list []Entry
	for _, folder := range folders {
		found, err := fs.ReadDir(files, "files/"+folder)
		if err != nil {
			return nil, err
		}
		for _, f := range found {
			e := Entry{Path: kind + "/" + f.Name(), Mode: 0o644, Data: embedded(folder + "/" + f.Name())}
			list = append(slices.DeleteFunc(list, func(other Entry) bool { return other.Path == e.Path }), e)
		}
	}
	return list, nil
}

// shippedSums are the SHA-256 sums of all versions of the spec files that ship, by folder and name.
//
//go:embed shipped.txt
var shippedSums string

// Successor returns a spec file as this version ships it, for one that holds data. It returns false if no version
// shipped data in that file: then a person wrote it, or changed it.
func Successor(file string, data []byte) (e Entry, found bool) {
	sum := sha256.Sum256(data)
	for line := range strings.Lines(shippedSums) {
		shipped, name, _ := strings.Cut(strings.TrimSpace(line), " ")
		kind := strings.TrimSuffix(path.Dir(name), "-full")
		if shipped != hex.EncodeToString(sum[:]) || kind+"/"+path.Base(name) != file {
			continue
		}
		now, err := files.ReadFile("files/" + name)
		return Entry{Path: file, Mode: 0o644, Data: now, Ours: true}, err == nil
	}
	return Entry{}, false
}

// embedded returns a file that is part of the program; its absence would be a
// mistake that the first test finds.
func embedded(name string) []byte {
	data, err := files.ReadFile(path.Join("files", name))
	if err != nil {
		panic(err)
	}
	return data
}
