package queue

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/idumb-dev/idumb/controller/mutate"
	"github.com/idumb-dev/idumb/controller/mutate/acts"
	"github.com/idumb-dev/idumb/controller/mutate/mems"
	"github.com/idumb-dev/idumb/controller/mutate/queue/requests"
	"github.com/idumb-dev/idumb/controller/store"
	"github.com/idumb-dev/idumb/controller/store/layout"
	"github.com/idumb-dev/idumb/resources"
	"github.com/idumb-dev/idumb/resources/admission"
	"github.com/idumb-dev/idumb/resources/apierrors"
)

// Command is one line of the queue.
type Command = requests.Request

// badLine is the error of an invalid line.
type badLine struct{ error }

// Parse parses a line strictly.
func Parse(line []byte) (Command, error) {
	var c Command
	if err := strictly(line, &c); err != nil {
		return c, badLine{fmt.Errorf("the line is no command: %w", err)}
	}
	if err := resources.CheckName(c.ID); err != nil {
		return c, badLine{fmt.Errorf("id %q: %w", c.ID, err)}
	}
	return c, nil
}

// strictly decodes one JSON value, without unknown fields or trailing data.
func strictly(data []byte, into any) error {
	d := json.NewDecoder(bytes.NewReader(data))
	d.DisallowUnknownFields()
	if err := d.Decode(into); err != nil {
		return err
	}
	if _, err := d.Token(); !errors.Is(err, io.EOF) {
		return errors.New("something follows the object")
	}
	return nil
}

// verbs returns the valid verbs. A line with objects may have any verb.
func verbs(table []acts.Act) []string {
	all := []string{requests.NoteMaker, requests.Park, "create"}
	for _, a := range table {
		if a.Queued {
			all = append(all, a.Name)
		}
	}
	return append(all, "delete", "archive", "restore")
}

// Execute executes a request of a hook in this process, without the queue.
func Execute(ctx context.Context, repo mutate.Repo, w requests.Request) error {
	return run(ctx, repo, acts.All(), w)
}

// forged returns an error for a line that attributes an object tracked by git
// to an agent. A hook records the maker of a file in the call that made it, and
// any process with access to the queue could write such a line later.
func forged(root layout.Root, c Command) error {
	var a requests.Args
	if c.Verb != requests.NoteMaker || strictly(c.Args, &a) != nil {
		return nil
	}
	tracked := root.Tracked()
	for _, name := range a.Names {
		if key, err := keyOf(name); err == nil && slices.Contains(tracked, layout.Path(key)) {
			return badLine{fmt.Errorf("%s is tracked by git: its author cannot be changed", name)}
		}
	}
	return nil
}

// recordMaker records the session that made objects written as files. It skips
// objects that were removed or changed since.
func recordMaker(ctx context.Context, repo mutate.Repo, a requests.Args) error {
	if a.Session == "" || len(a.Names) != len(a.Revisions) || len(a.Names) == 0 {
		return badLine{errors.New("args: give session, and as many names as revisions in over")}
	}
	keys := make([]resources.Key, len(a.Names))
	for i, name := range a.Names {
		var err error
		if keys[i], err = keyOf(name); err != nil {
			return err
		}
	}
	return repo.NoteMaker(ctx, keys, a.Revisions)
}

// park returns active tasks outside the focus to state planned; see Repo.Park.
func park(ctx context.Context, repo mutate.Repo, a requests.Args) error {
	for _, name := range a.Names {
		key, err := keyOf(name)
		if err == nil {
			err = repo.Park(ctx, key)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// run executes a command, unless it was already executed.
func run(ctx context.Context, repo mutate.Repo, table []acts.Act, c Command) error {
	var a requests.Args
	switch err := strictly(c.Args, &a); {
	case len(a.Objects) == 0 && !slices.Contains(verbs(table), c.Verb):
		return badLine{fmt.Errorf("unknown verb %q; use one of %s", c.Verb, strings.Join(verbs(table), ", "))}
	case len(c.Args) == 0:
		return badLine{errors.New("args: missing")}
	case err != nil:
		return badLine{fmt.Errorf("args: %w", err)}
	case a.Session != "" && resources.CheckName(a.Session) != nil:
		return badLine{fmt.Errorf("args: session: %w", resources.CheckName(a.Session))}
	case a.Cascade != "" && c.Verb != "delete" && c.Verb != "archive":
		return badLine{errors.New("args: cascade is for delete and archive")}
	}
	repo.Author, repo.Once = admission.Author{Kind: admission.Agent, Session: a.Session}, c.ID
	switch {
	case c.Verb == requests.NoteMaker:
		return recordMaker(ctx, repo, a)
	case c.Verb == requests.NoteHalt:
		if err := putObjects(ctx, repo, a); !apierrors.IsAlreadyExists(err) {
			return err
		}
		return nil
	case c.Verb == requests.Park:
		return park(ctx, repo, a)
	case len(a.Objects) > 0:
		return putObjects(ctx, repo, a)
	case c.Verb == "create":
		return create(ctx, repo, c.ID, a)
	case len(a.Names) > 0:
		return remove(ctx, repo, c.Verb, a)
	}
	return do(ctx, repo, table, c.Verb, a)
}

// keyOf parses KIND/NAME of an object that agents may write.
func keyOf(arg string) (key resources.Key, err error) {
	word, name, _ := strings.Cut(arg, "/")
	kind, known := resources.LookupKind(word)
	if !known || kind.Single || kind.Local || admission.GoverningKind(kind) {
		return key, badLine{fmt.Errorf("kind %q cannot be created by the queue; use workplan, task, anchor, mem or delegation", word)}
	}
	if err := resources.CheckName(name); err != nil {
		return key, badLine{err}
	}
	return resources.Key{Kind: kind.Plural, Name: name}, nil
}

// named adds the object's name to an error about its text, because the line has
// no file.
func named(name string, err error) error {
	var p resources.Problem
	if !errors.As(err, &p) {
		return fmt.Errorf("%s: %w", name, err)
	}
	p.File = name
	return p
}

// create writes a new object described by a script.
func create(ctx context.Context, repo mutate.Repo, id string, a requests.Args) error {
	if kind, known := resources.LookupKind(a.Kind); known && a.Name == "" {
		a.Name = kind.Prefix + "-q-" + id
	}
	text, err := json.Marshal(map[string]any{"metadata": map[string]any{"name": a.Name, "labels": a.Labels}, "spec": a.Spec})
	if err != nil {
		return badLine{err}
	}
	return putObjects(ctx, repo, requests.Args{Names: []string{a.Kind + "/" + a.Name}, Objects: []json.RawMessage{text}, Revisions: []string{""}})
}

// putObjects writes objects over the versions that a command saw.
func putObjects(ctx context.Context, repo mutate.Repo, a requests.Args) error {
	if len(a.Revisions) != len(a.Objects) || len(a.Names) != len(a.Objects) {
		return badLine{errors.New("args: names and over must be as many as objects")}
	}
	objects := make([]resources.Object, len(a.Objects))
	for i, text := range a.Objects {
		key, err := keyOf(a.Names[i])
		if err != nil {
			return err
		}
		decode := resources.Decode
		if a.Revisions[i] != "" {
			decode = resources.DecodeFile // it may contain fields of a newer build
		}
		if objects[i], _, err = decode(key, text); err != nil {
			return badLine{named(a.Names[i], err)}
		}
	}
	if m, ok := objects[0].(*resources.Mem); ok && len(objects) == 1 && a.Revisions[0] == "" {
		_, _, err := repo.SaveMem(ctx, m, mems.Add) // only one mem of a topic may be valid
		return err
	}
	_, err := repo.Put(ctx, objects, a.Revisions)
	if mutate.IsConflict(err) && !errors.Is(err, store.ErrConflict) {
		return badLine{err} // the expected version will not come back
	}
	return err
}

// do performs an act on a task or a plan.
func do(ctx context.Context, repo mutate.Repo, table []acts.Act, verb string, a requests.Args) error {
	act, known := acts.Named(table, verb)
	key := resources.Key{Kind: resources.Tasks, Name: a.Task}
	switch {
	case !known: // "delete" without names
		return badLine{errors.New("args: names are missing")}
	case (a.Task == "") == (a.WorkPlan == ""):
		return badLine{errors.New("args: give either task or workplan")}
	case a.Task == "":
		key = resources.Key{Kind: resources.WorkPlans, Name: a.WorkPlan}
	}
	_, err := act.Do(ctx, acts.Actor{Repo: repo}, key, a.Said)
	return err
}

// remove removes or restores objects. It ignores objects that are already in
// the requested state.
func remove(ctx context.Context, repo mutate.Repo, verb string, a requests.Args) (err error) {
	keys := make([]resources.Key, len(a.Names))
	for i, name := range a.Names {
		if keys[i], err = keyOf(name); err != nil {
			return err
		}
	}
	cascade, err := mutate.ParseCascade(a.Cascade)
	if err != nil {
		return badLine{fmt.Errorf("args: %w", err)}
	}
	present, _ := repo.Present(ctx, keys)
	switch verb {
	case "delete":
		_, err = repo.Delete(ctx, present, cascade)
	case "archive":
		_, err = repo.Archive(ctx, present, cascade)
	case "restore":
		for _, key := range keys {
			if _, err = repo.Restore(ctx, key); err != nil && !(apierrors.IsNotFound(err) && slices.Contains(present, key)) {
				return err
			}
		}
		err = nil
	default:
		err = badLine{errors.New("args: names are for delete, archive and restore")}
	}
	return err
}
