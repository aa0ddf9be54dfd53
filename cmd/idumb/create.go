package main

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/idumb-dev/idumb/controller/mutate"
	"github.com/idumb-dev/idumb/resources"
)

// creator is a kind that create builds from flags.
type creator struct {
	kind     string
	required []string // flags
	example  string
}

// creators returns the kinds that create builds from flags. All other kinds need files.
func creators() []creator {
	return []creator{
		{resources.WorkPlans, nil,
			`idumb create workplan user-auth --title "Sign-in" \
      --accept "a user can sign in" --state active`},
		{resources.Tasks, []string{"plan", "expect"},
			`idumb create task login-form --plan user-auth --title "Form" \
      --expect "form posts to /login" --depends-on db-schema`},
		{resources.Anchors, []string{"content"},
			`idumb create anchor token-format --type decision --priority high \
      --content "Tokens are opaque"`},
		{resources.Mems, []string{"content"},
			`idumb create mem no-orm --type false_path \
      --content "AVOID the ORM BECAUSE it drops indexes INSTEAD write SQL"`},
		{resources.Roles, nil,
			`idumb create role reviewer --level 2 --deny-tools write,edit \
      --rule "You read and comment."`},
		{resources.Delegations, []string{"task", "from", "to"},
			`idumb create delegation --task login-form --from coordinator --to executor`},
	}
}

func newCreate(a *app) *cobra.Command {
	var w writeFlags
	var files []string
	var recursive bool
	c := newCommand("create", noKind, func(c *cobra.Command, _ []string) error {
		if len(files) == 0 {
			return fmt.Errorf("name a kind to create: %s, or use -f FILE for any kind", creatable())
		}
		return a.applyFiles(c.Context(), &w, files, recursive, mutate.CreateOnly)
	})
	addFileFlags(c, &files, &recursive)
	addWriteFlags(c, &w)
	for _, made := range creators() {
		c.AddCommand(newCreateKind(a, made))
	}
	return c
}

// noKind returns the error for a word after create that is not one of the creators' kinds.
func noKind(_ *cobra.Command, args []string) error {
	if len(args) == 0 {
		return nil
	}
	if kind, found := resources.LookupKind(args[0]); found {
		return fmt.Errorf("create has no flags for kind %s; use create -f FILE", kind.Singular)
	}
	hint := ""
	if near := nearestKind(args[0]); near != "" {
		hint = fmt.Sprintf("\nDid you mean %q?", near)
	}
	return fmt.Errorf("cannot create %q; use %s, or -f FILE for any kind%s", args[0], creatable(), hint)
}

// creatable lists the kinds that create builds from flags.
func creatable() string {
	var kinds []string
	for _, made := range creators() {
		kind, _ := resources.KindOf(made.kind)
		kinds = append(kinds, kind.Singular)
	}
	return strings.Join(kinds, ", ")
}

// newCreateKind returns the verb that creates a resource of one kind from flags.
func newCreateKind(a *app, made creator) *cobra.Command {
	var w writeFlags
	kind, _ := resources.KindOf(made.kind)
	object := kind.New()
	c := &cobra.Command{
		Use: kind.Singular + " [NAME]", Aliases: append([]string{kind.Plural}, kind.ShortNames...),
		Short: "Create " + article(kind.Singular), Long: kind.Doc, Example: "  " + made.example, Args: cobra.MaximumNArgs(1),
	}
	read, write := a.specFlags(c, object), a.createOne
	if made.kind == resources.WorkPlans {
		write = a.fromSession(c)
	}
	labels := c.Flags().StringToString("labels", nil, "labels: a=b,c=d")
	c.RunE = func(c *cobra.Command, args []string) error {
		if err := read(); err != nil {
			return err
		}
		meta := &object.Head().Metadata
		meta.Labels = *labels
		if len(args) == 1 {
			if meta.Name = args[0]; meta.Name == "" { // as from an unset variable
				return fmt.Errorf("the name of the %s is empty; give a name, or omit it to generate one", kind.Singular)
			}
		}
		return write(c, &w, object)
	}
	addWriteFlags(c, &w)
	mustRequire(c, made.required...)
	return c
}

// article returns a noun with "a" or "an" before it.
func article(noun string) string {
	if strings.ContainsRune("aeiou", rune(noun[0])) {
		return "an " + noun
	}
	return "a " + noun
}

// createOne creates a resource and prints its name. For a task it first reads long texts given as
// -.
func (a *app) createOne(c *cobra.Command, w *writeFlags, o resources.Object) error {
	repo, err := a.writer(w)
	if err != nil {
		return err
	}
	switch o := o.(type) {
	case *resources.Mem:
		return a.createMem(c, w, repo, o)
	case *resources.Task:
		if err := a.readBody(&o.Spec); err != nil {
			return err
		}
	}
	if _, err := repo.Create(c.Context(), o); err != nil {
		return err
	}
	if d, ok := o.(*resources.Delegation); ok {
		a.warnOfStranger(c.Context(), d.Spec.To)
	}
	a.echoUID(w, o)
	return a.echo(w, o, mutate.Created)
}

// readBody reads a field of a task from standard input if its flag is "-".
func (a *app) readBody(spec *resources.TaskSpec) (err error) {
	switch {
	case spec.Description == "-" && spec.Notes == "-":
		return errors.New("--description - and --notes - cannot both read standard input; give one of them as a text")
	case spec.Description == "-":
		spec.Description, err = readText(a.stdin)
	case spec.Notes == "-":
		spec.Notes, err = readText(a.stdin)
	}
	return err
}

// warnOfStranger warns that an agent has no role, so that it has the default rights.
func (a *app) warnOfStranger(ctx context.Context, agent string) {
	there, err := a.load(ctx, resources.Roles)
	if err != nil {
		return
	}
	var roles []*resources.Role
	for _, key := range there.snap.List(resources.Roles) {
		o, _ := there.snap.Get(key)
		if role, ok := o.(*resources.Role); ok {
			roles = append(roles, role)
		}
	}
	if resources.RoleNamed(agent, roles) == nil {
		a.errf("Warning: no role lists the agent %[1]q; \"idumb auth can-i --list --as %[1]s\" lists its permissions\n", agent)
	}
}

// echoUID prints the UID of a new object on standard error, because scripts read standard output.
func (a *app) echoUID(w *writeFlags, o resources.Object) {
	if !w.dry() {
		a.errf("uid %s %s\n", o.Head().Metadata.UID, o.Key())
	}
}

// addFileFlags declares -f and -R.
func addFileFlags(c *cobra.Command, files *[]string, recursive *bool) {
	c.Flags().StringSliceVarP(files, "filename", "f", nil, "a file or directory with resources, or - for standard input; JSON or YAML")
	c.Flags().BoolVarP(recursive, "recursive", "R", false, "read subdirectories of the -f directory as well")
}

// documents reads all documents of -f. It returns errors for unreadable ones together with the
// other documents.
func (a *app) documents(files []string, recursive bool) ([]mutate.Manifest, []error) {
	return mutate.ReadManifests(a.fromFolder(files), recursive, a.stdin)
}
