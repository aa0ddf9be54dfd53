package mutate

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/idumb-dev/idumb/controller/store/filestore"
	"github.com/idumb-dev/idumb/resources"
	"github.com/idumb-dev/idumb/resources/apierrors"
)

// A test binary that finds this variable is one of the writers of
// TestConcurrentWriters.
const writerVariable = "IDUMB_TEST_WRITER"

func TestMain(m *testing.M) {
	for variable, alone := range map[string]func(root, name string) error{writerVariable: writeAlone, saverVariable: saveAlone} {
		if name := os.Getenv(variable); name != "" {
			if err := alone(os.Getenv("IDUMB_TEST_ROOT"), name); err != nil {
				fmt.Fprintln(os.Stderr, err)
				os.Exit(1)
			}
			os.Exit(0)
		}
	}
	os.Exit(m.Run())
}

// open returns the repository at root.
func open(root string, dryRun bool) (Repo, error) {
	files, err := filestore.Open(root)
	if err != nil {
		return Repo{}, err
	}
	return Open(files, time.Now, dryRun), nil
}

// newRepo makes a repository with the objects that text, YAML, describes.
func newRepo(t *testing.T, text string) Repo {
	t.Helper()
	root := t.TempDir()
	if err := os.Mkdir(filepath.Join(root, ".idumb"), 0o755); err != nil {
		t.Fatal(err)
	}
	repo, err := open(root, false)
	if err != nil {
		t.Fatal(err)
	}
	for _, err := range apply(t, repo, text) {
		if err != nil {
			t.Fatal(err)
		}
	}
	return repo
}

// apply applies text and returns the error of each document.
func apply(t *testing.T, repo Repo, text string) []error {
	t.Helper()
	var documents []Manifest
	for d, err := range SplitManifests("test", []byte(text)) {
		if err != nil {
			t.Fatal(err)
		}
		documents = append(documents, d)
	}
	applied, err := repo.Apply(context.Background(), documents, CreateOrReplace)
	if err != nil {
		t.Fatal(err)
	}
	var errs []error
	for _, a := range applied {
		errs = append(errs, a.Err)
	}
	return errs
}

const planText = `
kind: WorkPlan
metadata: {name: auth}
spec: {title: x, acceptance: [x]}
---
kind: TaskNode
metadata: {name: shared}
spec: {workPlan: auth, expectedOutput: x}
`

// Four processes make fifty changes each to one object, and create one object
// each time: nothing is lost.
func TestConcurrentWriters(t *testing.T) {
	const writers = 4
	repo := newRepo(t, planText)
	commands := make([]*exec.Cmd, writers)
	for i := range commands {
		c := exec.Command(os.Args[0])
		c.Env = append(os.Environ(), fmt.Sprintf("%s=w%d", writerVariable, i), "IDUMB_TEST_ROOT="+string(repo.Store.Root()))
		c.Stderr = os.Stderr
		if err := c.Start(); err != nil {
			t.Fatal(err)
		}
		commands[i] = c
	}
	for _, c := range commands {
		if err := c.Wait(); err != nil {
			t.Fatal(err)
		}
	}
	for i := range writers {
		for n := range changes {
			mustHold(t, repo, fmt.Sprintf("w%d-%d", i, n))
		}
	}
}

// changes is how many changes each writer makes.
const changes = 50

func writeAlone(root, name string) error {
	repo, err := open(root, false)
	if err != nil {
		return err
	}
	for n := range changes {
		mark := fmt.Sprintf("%s-%d", name, n)
		_, err := repo.One(context.Background(), resources.Key{Kind: resources.Tasks, Name: "shared"}, annotate(mark))
		if err != nil {
			return err
		}
		kind, _ := resources.KindOf(resources.Tasks)
		task := kind.New().(*resources.Task)
		task.Metadata.Name, task.Spec.WorkPlan, task.Spec.ExpectedOutput = mark, "auth", "x"
		task.Spec.DependsOn = []string{"shared"}
		if _, err := repo.Create(context.Background(), task); err != nil {
			return err
		}
	}
	return nil
}

func annotate(mark string) func(resources.Object, *View) (resources.Object, error) {
	return func(o resources.Object, _ *View) (resources.Object, error) {
		meta := &o.Head().Metadata
		if meta.Annotations == nil {
			meta.Annotations = map[string]string{}
		}
		meta.Annotations[mark] = "1"
		return o, nil
	}
}

func mustHold(t *testing.T, repo Repo, mark string) {
	t.Helper()
	shared := get(t, repo, "shared")
	if shared.Head().Metadata.Annotations[mark] != "1" {
		t.Errorf("the change %s of the shared task is lost", mark)
	}
	get(t, repo, mark)
}

func get(t *testing.T, repo Repo, task string) resources.Object {
	t.Helper()
	record, err := repo.Record(context.Background(), resources.Key{Kind: resources.Tasks, Name: task})
	if err != nil {
		t.Fatal(err)
	}
	o, err := decode(record)
	if err != nil {
		t.Fatal(err)
	}
	return o
}

// An editor that saves between reading and writing is not overwritten: the
// change is made again on what it saved.
func TestEditorSavesMeanwhile(t *testing.T) {
	repo := newRepo(t, planText)
	key := resources.Key{Kind: resources.Tasks, Name: "shared"}
	path := filepath.Join(string(repo.Store.Root()), ".idumb", "tasks", "shared.json")
	rounds := 0
	_, err := repo.One(context.Background(), key, func(o resources.Object, v *View) (resources.Object, error) {
		if rounds++; rounds == 1 {
			save(t, path, `{"spec": {"workPlan": "auth", "expectedOutput": "by hand"}}`)
		}
		return annotate("mark")(o, v)
	})
	if err != nil {
		t.Fatal(err)
	}
	got := get(t, repo, "shared").(*resources.Task)
	if got.Spec.ExpectedOutput != "by hand" || got.Metadata.Annotations["mark"] != "1" {
		t.Errorf("got %+v; want both the editor's change and ours", got)
	}
}

func save(t *testing.T, path, text string) {
	t.Helper()
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

func TestReplaceConflict(t *testing.T) {
	repo := newRepo(t, planText)
	o := get(t, repo, "shared")
	_, err := repo.Put(context.Background(), []resources.Object{o}, []string{"another revision"})
	if !IsConflict(err) {
		t.Errorf("got %v; want a conflict", err)
	}
}

func TestApplyRefuses(t *testing.T) {
	tests := []struct {
		name, text string
		want       []string // of each document; "" for none
	}{
		{"references in any order", "kind: TaskNode\nmetadata: {name: a}\nspec: {workPlan: new, expectedOutput: x}\n---\nkind: WorkPlan\nmetadata: {name: new}\nspec: {title: x, acceptance: [x]}",
			[]string{"", ""}},
		{"dangling", "kind: TaskNode\nmetadata: {name: a}\nspec: {workPlan: auth, expectedOutput: x, dependsOn: [shared, bar]}",
			[]string{`The Task "a" is invalid: spec.dependsOn[1]: Not found: "bar"`}},
		{"what refers to what was refused", "kind: TaskNode\nmetadata: {name: a}\nspec: {workPlan: auth, expectedOutput: x, dependsOn: [b]}\n---\nkind: TaskNode\nmetadata: {name: b}\nspec: {workPlan: auth}",
			[]string{`The Task "a" is invalid: spec.dependsOn[0]: Not found: "b"`, `The Task "b" is invalid: spec.expectedOutput: Required value`}},
		{"a circle with what is there", "kind: TaskNode\nmetadata: {name: shared}\nspec: {workPlan: auth, expectedOutput: x, dependsOn: [a]}\n---\nkind: TaskNode\nmetadata: {name: a}\nspec: {workPlan: auth, expectedOutput: x, dependsOn: [shared]}",
			[]string{"circle", ""}},
		{"no name", "kind: Mem\nspec: {content: x}", []string{"metadata.name: Required value"}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			errs := apply(t, newRepo(t, planText), test.text)
			for i, want := range test.want {
				got := fmt.Sprint(errs[i])
				if errs[i] == nil {
					got = ""
				}
				if (want == "") != (got == "") || !strings.Contains(got, want) {
					t.Errorf("document %d: got %q; want %q", i, got, want)
				}
			}
		})
	}
}

// An object whose chain is broken can still be changed, but no new loose end is
// added.
func TestBrokenChainCanBeChanged(t *testing.T) {
	repo := newRepo(t, planText)
	path := filepath.Join(string(repo.Store.Root()), ".idumb", "tasks", "shared.json")
	save(t, path, `{"spec": {"workPlan": "auth", "expectedOutput": "x", "dependsOn": ["gone", "shared"]}}`)
	key := resources.Key{Kind: resources.Tasks, Name: "shared"}
	if _, err := repo.One(context.Background(), key, annotate("mark")); err == nil {
		t.Error("a task that depends on itself is invalid, and was written")
	}
	save(t, path, `{"spec": {"workPlan": "auth", "expectedOutput": "x", "dependsOn": ["gone"]}}`)
	if _, err := repo.One(context.Background(), key, annotate("mark")); err != nil {
		t.Errorf("got %v; want no error", err)
	}
	_, err := repo.One(context.Background(), key, func(o resources.Object, _ *View) (resources.Object, error) {
		task := o.(*resources.Task)
		task.Spec.DependsOn = append(task.Spec.DependsOn, "nowhere")
		return task, nil
	})
	if err == nil || !strings.Contains(err.Error(), `spec.dependsOn[1]: Not found: "nowhere"`) || strings.Contains(err.Error(), "gone") {
		t.Errorf("got %v; want the new loose end refused", err)
	}
}

func TestDelete(t *testing.T) {
	const text = planText + `---
kind: TaskNode
metadata: {name: part}
spec: {workPlan: auth, expectedOutput: x, parent: shared}
---
kind: Delegation
metadata: {name: hand}
spec: {task: part, from: a, to: b}
---
kind: Mem
metadata: {name: learnt}
spec: {content: x, originTask: shared}
`
	tests := []struct {
		name    string
		key     resources.Key
		cascade Cascade
		want    []string // keys that go; nil: refused
	}{
		{"needed", resources.Key{Kind: resources.Tasks, Name: "shared"}, Guarded, nil},
		{"needed by a mem", resources.Key{Kind: resources.Tasks, Name: "shared"}, Owned, nil},
		{"with what belongs to it", resources.Key{Kind: resources.Tasks, Name: "part"}, Owned, []string{"tasks/part", "delegations/hand"}},
		{"alone", resources.Key{Kind: resources.Tasks, Name: "shared"}, Orphan, []string{"tasks/shared"}},
		{"free", resources.Key{Kind: resources.Mems, Name: "learnt"}, Guarded, []string{"mems/learnt"}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			repo := newRepo(t, text)
			gone, err := repo.Delete(context.Background(), []resources.Key{test.key}, test.cascade)
			var got []string
			for _, key := range gone {
				got = append(got, key.String())
			}
			if err != nil {
				got = nil
			}
			if !slices.Equal(got, test.want) || (err != nil) != (test.want == nil) {
				t.Errorf("got %v, %v; want %v", got, err, test.want)
			}
			for _, key := range gone {
				if _, readErr := repo.Record(context.Background(), key); err == nil && !apierrors.IsNotFound(readErr) {
					t.Errorf("%s is still there: %v", key, readErr)
				}
			}
		})
	}
}

// Whoever holds on to an object is named, or counted.
func TestDeleteCountsWhoNeedsIt(t *testing.T) {
	var text strings.Builder
	text.WriteString(planText)
	for i := range 20 {
		fmt.Fprintf(&text, "---\nkind: TaskNode\nmetadata: {name: t%02d}\nspec: {workPlan: auth, expectedOutput: x, dependsOn: [shared]}\n", i)
	}
	repo := newRepo(t, text.String())
	_, err := repo.Delete(context.Background(), []resources.Key{{Kind: resources.Tasks, Name: "shared"}}, Guarded)
	if err == nil || !strings.Contains(err.Error(), "tasks/t03 (spec.dependsOn[0]), and 16 more;") {
		t.Errorf("got %v; want four names and the number of all others", err)
	}
}

// Two creates of one name: one of them wins, the other is told.
func TestCreateTwice(t *testing.T) {
	repo := newRepo(t, planText)
	kind, _ := resources.KindOf(resources.Mems)
	var errs []error
	for range 2 {
		mem := kind.New().(*resources.Mem)
		mem.Metadata.Name, mem.Spec.Content = "one", "x"
		_, err := repo.Create(context.Background(), mem)
		errs = append(errs, err)
	}
	var status *apierrors.Status
	if errs[0] != nil || !errors.As(errs[1], &status) || status.Reason != "AlreadyExists" {
		t.Errorf("got %v; want none, then AlreadyExists", errs)
	}
}

// More objects than are looked at one by one: the chain is written, the circle
// is not.
func TestApplyManyFindsCircles(t *testing.T) {
	const n = 2 * maxByName
	chain := func(first string) string {
		var b strings.Builder
		for i := range n {
			before := first
			if i > 0 {
				before = fmt.Sprintf("t%d", i-1)
			}
			fmt.Fprintf(&b, "---\nkind: TaskNode\nmetadata: {name: t%d}\nspec: {workPlan: auth, expectedOutput: x, dependsOn: [%s]}\n", i, before)
		}
		return b.String()
	}
	repo := newRepo(t, planText)
	for i, err := range apply(t, repo, chain(fmt.Sprintf("t%d", n-1))) {
		if err == nil {
			t.Fatalf("task %d of a circle was written", i)
		}
	}
	for i, err := range apply(t, repo, chain("shared")) {
		if err != nil {
			t.Fatalf("task %d of a chain: %v", i, err)
		}
	}
}

// A change keeps the line ends of the file that it changes.
func TestAChangeKeepsTheLineEnds(t *testing.T) {
	repo := newRepo(t, "kind: Mem\nmetadata: {name: m}\nspec: {content: 'one'}\n")
	key := resources.Key{Kind: resources.Mems, Name: "m"}
	file := repo.Store.Root().Abs(".idumb/mems/m.json")
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, []byte(strings.ReplaceAll(string(data), "\n", "\r\n")), 0o644); err != nil {
		t.Fatal(err)
	}
	result, err := repo.One(t.Context(), key, func(o resources.Object, _ *View) (resources.Object, error) { return o, nil })
	if err != nil || result.Operation != Unchanged {
		t.Fatalf("a change of nothing: %v, %v", result.Operation, err)
	}
	if _, err := repo.One(t.Context(), key, func(o resources.Object, _ *View) (resources.Object, error) {
		o.Head().Metadata.Labels = map[string]string{"a": "b"}
		return o, nil
	}); err != nil {
		t.Fatal(err)
	}
	data, err = os.ReadFile(file)
	if err != nil || !strings.Contains(string(data), "\"a\": \"b\"\r\n") || strings.Count(string(data), "\n") != strings.Count(string(data), "\r\n") {
		t.Fatalf("%v: %q", err, data)
	}
}
