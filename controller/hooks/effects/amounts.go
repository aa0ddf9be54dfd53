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

// stateVerbs are the commands that bring an object into a state.
var stateVerbs = [...]struct{ state, verb string }{
	{resources.TaskActive, "start"}, {resources.TaskReview, "review"}, {resources.TaskCompleted, "complete"},
	{resources.TaskFailed, "fail"}, {resources.TaskAbandoned, "abandon"},
	{"accepted", "accept"}, {"recalled", "recall"}, {"done", "complete"},
	{resources.DecisionRejected, "reject"}, {resources.DecisionDeprecated, "deprecate"},
}

// amountsTo are the commands that do to one object what a command with a file does: making it,
// or changing it, and bringing it into another state.
func (r Resolver) amountsTo(verb string, o object) []command.Run {
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
	before, there := r.stored(resources.Key{Kind: o.kind.Plural, Name: name})
	commands := []command.Run{command.RunOf("idumb", "edit", ref)}
	if !there && !o.kind.Single { // that one there always is, with a file or without
		words := []string{"idumb", "create", o.kind.Singular}
		if name != "" {
			words = append(words, name)
		}
		commands[0] = command.RunOf(words...)
	}
	if o.met > 0 && o.met != before.met && name != "" {
		commands = append(commands, command.RunOf("idumb", "complete", ref))
	}
	for _, row := range stateVerbs {
		if o.state == row.state && before.state != o.state && name != "" {
			commands = append(commands, command.RunOf("idumb", row.verb, ref))
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

// Written are the commands that do what a call of a tool does to planning files, and what
// those files hold then.
func (r Resolver) Written(e hosts.Event, paths []admission.Path) ([]command.Run, []admission.Planned) {
	return r.amountsOf(paths, func(p admission.Path, place string) ([]byte, bool) {
		before, there := bounded(place)
		if e.Patch != "" {
			return hosts.PatchResult(e.Patch, p.Given, before)
		}
		return contentAfter(e.Args, before, there), true
	})
}

// WrittenByLine are the same for a command line, whether a redirection or a program writes
// the files. What they will hold is known where the line itself says it, and nothing but that
// writes them.
func (r Resolver) WrittenByLine(paths []admission.Path, files []command.File) ([]command.Run, []admission.Planned) {
	texts, unknown := map[string]string{}, map[string]bool{}
	for _, f := range files {
		if f.Unsure {
			continue
		}
		at, _ := r.standing(f)
		p, err := at.Resolve(f.Word.Text)
		switch {
		case err != nil:
		case f.Holds.Known:
			texts[p.Repo] = f.Holds.Text
		default:
			unknown[p.Repo] = true
		}
	}
	return r.amountsOf(paths, func(p admission.Path, place string) ([]byte, bool) {
		if text, told := texts[p.Repo]; told && !unknown[p.Repo] {
			return []byte(text), true
		}
		data, _ := bounded(place)
		return data, false
	})
}

// amountsOf are the commands that write those of some files that are objects, given what
// each will hold, and what that is. What may only be looked at does not count.
func (r Resolver) amountsOf(paths []admission.Path, holds func(p admission.Path, place string) (data []byte, known bool)) (commands []command.Run, planned []admission.Planned) {
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
			o.state, o.met = objects[0].state, objects[0].met
		}
		next := admission.Planned{Key: key, Path: p, Known: known, Gone: known && len(bytes.TrimSpace(data)) == 0}
		if known {
			next.Next, _, _ = resources.DecodeFile(key, data)
		}
		planned = append(planned, next)
		for _, run := range r.amountsTo("apply", o) {
			if !slices.ContainsFunc(commands, func(before command.Run) bool { return slices.Equal(before.Words, run.Words) }) {
				commands = append(commands, run)
			}
		}
	}
	return commands, planned
}

// contentAfter is what a file will hold after a call that writes all of it, or replaces a part;
// given what it held.
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
