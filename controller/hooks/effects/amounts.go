package effects

import (
	"bytes"
	"io"
	"os"
	"path/filepath"
	"slices"

	"github.com/idumb-dev/idumb/controller/hooks/hosts"
	"github.com/idumb-dev/idumb/controller/store/layout"
	"github.com/idumb-dev/idumb/resources"
	"github.com/idumb-dev/idumb/resources/admission"
	"github.com/idumb-dev/idumb/resources/admission/command"
)

// stateVerbs lists the commands that set the state of an object.
var stateVerbs = [...]struct{ state, verb string }{
	{resources.TaskActive, "start"}, {resources.TaskReview, "review"}, {resources.TaskCompleted, "complete"},
	{resources.TaskFailed, "fail"}, {resources.TaskAbandoned, "abandon"},
	{"accepted", "accept"}, {"recalled", "recall"}, {"done", "complete"},
	{resources.DecisionRejected, "reject"}, {resources.DecisionDeprecated, "deprecate"},
}

// equivalentCommands returns the commands that have the same effect on one object as a
// command with a file: one that creates or changes it, and one that sets its
// state.
func (r Resolver) equivalentCommands(verb string, o object) []command.Run {
	name := o.name
	if resources.CheckName(name) != nil {
		name = ""
	}
	ref := o.kind.Singular
	if name != "" && !o.kind.Single {
		ref += "/" + name
	}
	if verb != "apply" && verb != "create" && verb != "replace" {
		return []command.Run{command.RunOf("idumb", verb, ref)}
	}
	before, there := r.storedObject(resources.Key{Kind: o.kind.Plural, Name: name})
	commands := []command.Run{command.RunOf("idumb", "edit", ref)}
	if !there && !o.kind.Single { // a single object always exists, even without a file
		words := []string{"idumb", "create", o.kind.Singular}
		if name != "" {
			words = append(words, name)
		}
		commands[0] = command.RunOf(words...)
	}
	if o.metCount > 0 && o.metCount != before.metCount && name != "" {
		commands = append(commands, command.RunOf("idumb", "complete", ref))
	}
	for _, row := range stateVerbs {
		if o.state == row.state && before.state != o.state && name != "" {
			commands = append(commands, command.RunOf("idumb", row.verb, ref))
		}
	}
	return commands
}

// storedObject returns the object that the repository holds under a key, and
// whether its file exists. The object is empty if the file does not hold
// exactly one object that can be read.
func (r Resolver) storedObject(key resources.Key) (object, bool) {
	if key.Name == "" {
		return object{}, false
	}
	place := filepath.Join(r.Root, filepath.FromSlash(layout.Path(key)))
	data, there := readBounded(place)
	if objects, _ := givenIn(data, place); len(objects) == 1 {
		return objects[0], there
	}
	return object{}, there
}

// readBounded reads a regular file of at most layout.MaxSpec bytes. there is
// false only if no file of that name is found; there may be a file and no data.
func readBounded(name string) (data []byte, there bool) {
	info, err := os.Lstat(name)
	if err != nil {
		return nil, false
	}
	if !info.Mode().IsRegular() || info.Size() > layout.MaxSpec {
		return nil, true
	}
	f, err := os.Open(name)
	if err != nil {
		return nil, true
	}
	defer f.Close()
	data, _ = io.ReadAll(io.LimitReader(f, layout.MaxSpec))
	return data, true
}

// WritingCommands returns the commands that have the same effect on planning files as a
// call of a tool. It also returns the content of the files after the call.
func (r Resolver) WritingCommands(e hosts.Event, paths []admission.Path) ([]command.Run, []admission.Planned) {
	return r.writtenObjects(paths, func(p admission.Path, place string) ([]byte, bool) {
		before, there := readBounded(place)
		if e.Patch != "" {
			return hosts.PatchResult(e.Patch, p.Given, before)
		}
		return contentAfter(e.Args, before, there), true
	})
}

// WrittenByLine does the same as WritingCommands for a command line, for files that a redirection
// or a program writes. The new content of a file is available only if the line contains it and
// writes the file in no other way.
func (r Resolver) WrittenByLine(paths []admission.Path, files []command.File) ([]command.Run, []admission.Planned) {
	texts, unknown := map[string]string{}, map[string]bool{}
	for _, f := range files {
		if f.Unsure {
			continue
		}
		at, _ := r.atFolder(f)
		switch p, err := at.Resolve(f.Word.Text); {
		case err != nil:
		case f.Holds.Known:
			texts[p.Repo] = f.Holds.Text
		default:
			unknown[p.Repo] = true
		}
	}
	return r.writtenObjects(paths, func(p admission.Path, place string) ([]byte, bool) {
		if text, told := texts[p.Repo]; told && !unknown[p.Repo] {
			return []byte(text), true
		}
		data, _ := readBounded(place)
		return data, false
	})
}

// writtenObjects returns the commands that write the objects among some files, and
// the planned content. holds returns the new content of a file. Files that are
// only read are skipped.
func (r Resolver) writtenObjects(paths []admission.Path, holds func(p admission.Path, place string) (data []byte, known bool)) (commands []command.Run, planned []admission.Planned) {
	for _, p := range paths {
		key, ok := admission.ObjectAt(p)
		if !ok || p.Unsure || p.Below {
			continue
		}
		kind, _ := resources.KindOf(key.Kind)
		place := filepath.Join(r.Root, filepath.FromSlash(p.Repo))
		o := object{kind: kind, name: key.Name}
		data, known := holds(p, place)
		if objects, _ := givenIn(data, place); len(objects) == 1 {
			o.state, o.metCount = objects[0].state, objects[0].metCount
		}
		next := admission.Planned{Key: key, Path: p, Known: known, Gone: known && len(bytes.TrimSpace(data)) == 0}
		if known {
			next.Next, _, _ = resources.DecodeFile(key, data)
		}
		planned = append(planned, next)
		for _, run := range r.equivalentCommands("apply", o) {
			if !slices.ContainsFunc(commands, func(before command.Run) bool { return slices.Equal(before.Words, run.Words) }) {
				commands = append(commands, run)
			}
		}
	}
	return commands, planned
}

// contentAfter returns the content of a file after a call that writes the whole
// file or replaces a part. data is the content before.
func contentAfter(args hosts.Object, data []byte, there bool) []byte {
	for _, key := range [...]string{"content", "contents", "file_text"} {
		if text, ok := args[key]; ok {
			return []byte(hosts.AsText(text))
		}
	}
	if !there {
		return []byte{}
	}
	edits := []hosts.Object{args}
	for _, item := range hosts.Items(args["edits"]) {
		if edit, err := hosts.ReadObject(item); err == nil {
			edits = append(edits, edit)
		}
	}
	for _, edit := range edits {
		for _, names := range [...][2]string{{"old_string", "new_string"}, {"oldString", "newString"}, {"old_str", "new_str"}, {"oldText", "newText"}} {
			if before := edit.Text(names[0]); before != "" {
				data = bytes.ReplaceAll(data, []byte(before), []byte(edit.Text(names[1])))
			}
		}
	}
	return data
}
