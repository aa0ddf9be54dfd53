package effects

import (
	"bytes"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/idumb-dev/idumb/controller/hooks/hosts"
	"github.com/idumb-dev/idumb/controller/store/filestore/layout"
	"github.com/idumb-dev/idumb/resources"
	"github.com/idumb-dev/idumb/resources/admission"
	"github.com/idumb-dev/idumb/resources/admission/command"
)

// stateVerbs are the commands that bring an object into a state.
var stateVerbs = [...]struct{ state, verb string }{
	{resources.TaskActive, "start"}, {resources.TaskReview, "review"}, {resources.TaskCompleted, "complete"},
	{resources.TaskFailed, "fail"}, {resources.TaskAbandoned, "abandon"},
	{"accepted", "accept"}, {"recalled", "recall"}, {"done", "complete"},
}

// amountsTo are the commands that do to one object what a command with a file does: making it,
// or changing it, and bringing it into another state.
func (r Resolver) amountsTo(verb string, o object) []string {
	name := o.name
	if resources.CheckName(name) != nil {
		name = ""
	}
	ref := o.kind.Singular
	if name != "" && !o.kind.Single {
		ref += "/" + name
	}
	if verb != "apply" && verb != "create" {
		return []string{"idumb " + verb + " " + ref}
	}
	before, there := r.stored(resources.Key{Kind: o.kind.Plural, Name: name})
	commands := []string{"idumb edit " + ref}
	if !there && !o.kind.Single { // that one there always is, with a file or without
		commands[0] = strings.TrimRight("idumb create "+o.kind.Singular+" "+name, " ")
	}
	for _, row := range stateVerbs {
		if o.state == row.state && before.state != o.state && name != "" {
			commands = append(commands, "idumb "+row.verb+" "+ref)
		}
	}
	return commands
}

// stored is what the repository holds under a key.
func (r Resolver) stored(key resources.Key) (object, bool) {
	if key.Name == "" {
		return object{}, false
	}
	place := filepath.Join(r.Root, filepath.FromSlash(layout.Path(key)))
	data, there := bounded(place)
	if objects, _ := givenIn(data, place); len(objects) == 1 {
		return objects[0], there
	}
	return object{}, there
}

// bounded reads a regular file that is no longer than objects are.
func bounded(name string) (data []byte, there bool) {
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

// Written are the commands that do what a call of a tool does to planning files.
func (r Resolver) Written(e hosts.Event, paths []admission.Path) []string {
	return r.amountsOf(paths, func(_ admission.Path, place string) []byte { return contentAfter(e.Args, place) })
}

// WrittenByLine are the same for a command line, whether a redirection or a program writes
// the files. What they will hold is looked at where the line itself says it.
func (r Resolver) WrittenByLine(paths []admission.Path, files []command.File) []string {
	texts := map[string]string{}
	for _, f := range files {
		if !f.Holds.Known {
			continue
		}
		at, _ := r.standing(f)
		if p, err := at.Resolve(f.Word.Text); err == nil {
			texts[p.Repo] = f.Holds.Text
		}
	}
	return r.amountsOf(paths, func(p admission.Path, place string) []byte {
		if text, told := texts[p.Repo]; told {
			return []byte(text)
		}
		data, _ := bounded(place)
		return data
	})
}

// amountsOf are the commands that write those of some files that are objects, given what
// each will hold. What may only be looked at does not count.
func (r Resolver) amountsOf(paths []admission.Path, holds func(p admission.Path, place string) []byte) (commands []string) {
	for _, p := range paths {
		key, ok := admission.ObjectAt(p)
		if !ok || p.Unsure || p.Below {
			continue
		}
		kind, _ := resources.KindOf(key.Kind)
		place := filepath.Join(r.Root, filepath.FromSlash(p.Repo))
		o := object{kind: kind, name: key.Name}
		if objects, _ := givenIn(holds(p, place), place); len(objects) == 1 {
			o.state = objects[0].state
		}
		for _, command := range r.amountsTo("apply", o) {
			if !slices.Contains(commands, command) {
				commands = append(commands, command)
			}
		}
	}
	return commands
}

// contentAfter is what a file will hold after a call that writes all of it, or replaces a part;
// nil where the call does not tell.
func contentAfter(args hosts.Object, place string) []byte {
	for _, key := range [...]string{"content", "contents", "file_text"} {
		if text, ok := args[key]; ok {
			return []byte(hosts.AsText(text))
		}
	}
	data, there := bounded(place)
	if !there {
		return nil
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
