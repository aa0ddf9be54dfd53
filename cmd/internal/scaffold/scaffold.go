// Package scaffold contains the files that idumb init writes: the directories of .idumb, its README
// for agents, the JSON Schemas, the shipped roles and the default settings.
package scaffold

import (
	"bytes"
	"crypto/sha256"
	"embed"
	"encoding/hex"
	"fmt"
	"io"
	"io/fs"
	"path"
	"slices"
	"strings"

	"github.com/idumb-dev/idumb/controller/store/layout"
	"github.com/idumb-dev/idumb/resources"
)

//go:embed files
var files embed.FS

// Entry is a directory or file below .idumb.
type Entry struct {
	Path      string      // path below .idumb, with '/'
	Mode      fs.FileMode // includes fs.ModeDir for a directory
	Data      []byte      // content of a file
	Generated bool        // generated, without choices of a user: Renew replaces it
	Replaces  []byte      // content of another shipped set; a file that still has it is replaced
}

// Sets of roles that init writes.
const (
	CoreRoles = "core" // roles for planning, research and building, and one for all of them
	FullRoles = "full" // CoreRoles and a role for each part that an agent may play
)

// RoleSets lists the sets of roles, the default first.
func RoleSets() []string { return []string{CoreRoles, FullRoles} }

// Entries returns all entries that init creates with a set of roles. Directories precede their
// files. The order is the same on every call.
func Entries(set string) ([]Entry, error) {
	config, err := settings()
	if err != nil {
		return nil, err
	}
	roles, err := roles(set)
	if err != nil {
		return nil, err
	}
	entries := slices.Concat(dirEntries(), []Entry{ignore(), readme()}, schemas(), roles)
	for _, kind := range []string{resources.ChainRules, resources.Triggers} {
		shipped, err := objectsIn(kind, kind)
		if err != nil {
			return nil, err
		}
		entries = append(entries, shipped...)
	}
	return append(entries, config), nil
}

// dirEntries returns the directories of the kinds, and the directories for locks and local records.
func dirEntries() []Entry {
	list := []Entry{dirEntry("schemas")}
	for _, k := range resources.Kinds() {
		if !k.Single {
			list = append(list, dirEntry(k.Plural))
		}
	}
	for _, name := range []string{"archive", "checkpoints", "context", "events", "quarantine", "derived", "status", "run"} {
		list = append(list, dirEntry(name))
	}
	return list
}

// Names returns the names that may exist in .idumb itself: the entries of init and the local files.
func Names() []string {
	names := []string{layout.IgnoreFile, readmeFile}
	for _, e := range dirEntries() {
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

// dirEntry returns a directory with the mode that the store uses. Local directories are accessible to
// their owner only.
func dirEntry(name string) Entry {
	return Entry{Path: name, Mode: fs.ModeDir | layout.FolderMode(layout.Dir+"/"+name)}
}

// ignore returns the file .gitignore of .idumb.
func ignore() Entry {
	return Entry{Path: layout.IgnoreFile, Mode: 0o644, Data: embedded("gitignore"), Generated: true}
}

const readmeFile = "README.md"

// readme returns the README of .idumb, which ends with the table of settings.
func readme() Entry {
	var b bytes.Buffer
	b.Write(embedded("README.md"))
	writeSettings(&b)
	return Entry{Path: readmeFile, Mode: 0o644, Data: b.Bytes(), Generated: true}
}

// schemas returns the JSON schemas of all kinds.
func schemas() []Entry {
	var list []Entry
	for _, k := range resources.Kinds() {
		list = append(list, Entry{Path: "schemas/" + k.Singular + ".json", Mode: 0o644, Data: resources.Schema(k), Generated: true})
	}
	return list
}

// roleFolders lists the directories with the files of each set.
var roleFolders = [...]struct {
	set     string
	folders []string
}{
	{CoreRoles, []string{"roles"}},
	{FullRoles, []string{"roles", "roles-full"}},
}

// roles returns the files of a set of roles. It returns an error if there is no such set.
func roles(set string) ([]Entry, error) {
	for _, row := range roleFolders {
		if row.set == set {
			return objectsIn(resources.Roles, row.folders...)
		}
	}
	return nil, fmt.Errorf("there is no set of roles %q; use %s", set, strings.Join(RoleSets(), " or "))
}

// ShippedRoles returns the shipped roles of a set, in the order in which init writes them. Callers
// that generate files for a host use them, because the roles in a repository are untrusted.
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

// objectsIn returns the objects of a kind in some directories. If two have the same name, the later
// one is used.
func objectsIn(kind string, folders ...string) ([]Entry, error) {
	var list []Entry
	for _, folder := range folders {
		found, err := fs.ReadDir(files, "files/"+folder)
		if err != nil {
			return nil, err
		}
		for _, f := range found {
			e := Entry{Path: kind + "/" + f.Name(), Mode: 0o644, Data: embedded(folder + "/" + f.Name())}
			list = slices.DeleteFunc(list, func(other Entry) bool {
				same := other.Path == e.Path
				if same {
					e.Replaces = other.Data
				}
				return same
			})
			list = append(list, e)
		}
	}
	return list, nil
}

// shippedSums lists the SHA-256 sums of all shipped versions of the spec files, by directory and name.
//
//go:embed shipped.txt
var shippedSums string

// Successor returns this version of a shipped spec file. data is the current content. found is
// false if no version shipped data in that file: then a user wrote or changed it.
func Successor(file string, data []byte) (e Entry, found bool) {
	sum := sha256.Sum256(data)
	for line := range strings.Lines(shippedSums) {
		shipped, name, _ := strings.Cut(strings.TrimSpace(line), " ")
		kind := strings.TrimSuffix(path.Dir(name), "-full")
		if shipped != hex.EncodeToString(sum[:]) || kind+"/"+path.Base(name) != file {
			continue
		}
		now, err := files.ReadFile("files/" + name)
		return Entry{Path: file, Mode: 0o644, Data: now, Generated: true}, err == nil
	}
	return Entry{}, false
}

// embedded returns an embedded file. It panics if the file is missing, which any test detects.
func embedded(name string) []byte {
	data, err := files.ReadFile(path.Join("files", name))
	if err != nil {
		panic(err)
	}
	return data
}

// settings returns config.json with every default written out, so that users see all settings. JSON
// has no comments: editors show the meaning of each setting from $schema, and the README lists
// them.
func settings() (Entry, error) {
	config := resources.New[*resources.Config](resources.Configs, resources.ConfigName)
	config.Schema, config.Spec = "schemas/config.json", resources.DefaultConfig()
	data, err := resources.Encode(config)
	return Entry{Path: "config.json", Mode: 0o644, Data: data}, err
}

// writeSettings writes the table of settings, derived from the same fields as validation and
// explain.
func writeSettings(w io.Writer) {
	kind, _ := resources.KindOf(resources.Configs)
	spec, _ := kind.LookupField("spec")
	fmt.Fprint(w, "| setting (in `spec`) | meaning |\n|---|---|\n")
	settingRows(w, "", spec.Fields)
}

// settingRows writes a table row for each field. The fields of objects get separate rows, named
// with dots after prefix.
func settingRows(w io.Writer, prefix string, fields []*resources.Field) {
	for _, f := range fields {
		if f.Shape == resources.ObjectShape && !f.Repeated {
			settingRows(w, prefix+f.Name+".", f.Fields)
			continue
		}
		fmt.Fprintf(w, "| `%s%s` | %s |\n", prefix, f.Name, strings.ReplaceAll(f.Doc, "|", `\|`))
	}
}
