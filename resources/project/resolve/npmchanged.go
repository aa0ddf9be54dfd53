package resolve

import (
	"path"
	"reflect"
	"slices"
)

// changed discards the parsed manifest and all manifests that include it. It
// returns the affected imports.
func (j *javascript) changed(file string) Touched {
	switch path.Base(file) {
	case "package.json":
		return j.packageChanged(file)
	case "pnpm-workspace.yaml", "lerna.json":
		return j.workspacesChanged()
	}
	touched := j.forgetConfigs(file)
	if name := path.Base(file); name == "tsconfig.json" || name == "jsconfig.json" {
		clear(j.nearest)
		touched.add(Touched{Keys: []string{file}, Folders: []string{parent(file)}})
	}
	return touched
}

// workspacesChanged discards everything, because any package name may have another meaning.
func (j *javascript) workspacesChanged() Touched {
	j.workspaces = nil
	clear(j.configs)
	clear(j.nearest)
	return Touched{Extensions: j.extensions()}
}

// packageChanged compares the relevant parts of a package.json, because most changes only
// affect dependency versions. The change may affect files in its directory, and imports of
// the package by name or by directory.
func (j *javascript) packageChanged(file string) Touched {
	was, is := j.packages[file], &packageJSON{}
	if was == nil {
		was = &packageJSON{}
	}
	if delete(j.packages, file); j.tree.files[file] {
		is = j.packageAt(file)
	}
	if reflect.DeepEqual(is, was) {
		return Touched{}
	}
	j.workspaces = nil
	if !slices.Equal(is.members, was.members) {
		return j.workspacesChanged()
	}
	touched := Touched{Keys: []string{file, namedPackage + was.name, namedPackage + is.name}, Folders: []string{parent(file)}}
	touched.add(j.forgetConfigs(touched.Keys...))
	return touched
}

// forgetConfigs discards every tsconfig that depends on some keys. It returns the affected
// files.
func (j *javascript) forgetConfigs(keys ...string) (touched Touched) {
	for at, c := range j.configs {
		if slices.ContainsFunc(keys, func(key string) bool { return slices.Contains(c.lookups, key) }) {
			delete(j.configs, at)
			touched.Folders = append(touched.Folders, parent(at))
			touched.Keys = append(touched.Keys, at)
			clear(j.nearest)
		}
	}
	return touched
}
