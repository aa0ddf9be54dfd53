package main

import (
	"cmp"
	"fmt"
	"runtime/debug"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/idumb-dev/idumb/cmd/internal/kubectl/terminal"
	"github.com/idumb-dev/idumb/cmd/internal/version"
	"github.com/idumb-dev/idumb/controller/mutate/transition"
	"github.com/idumb-dev/idumb/resources"
	"github.com/idumb-dev/idumb/resources/admission"
)

const rootDoc = `iDumb governs AI coding agents. Plans, tasks and memories are JSON files in your
repository. A controller keeps their status up to date, and hooks enforce them
in Claude Code, OpenCode, Codex, Copilot CLI and Gemini CLI.`

// renamedFlags contains the old names of flags, which still work.
var renamedFlags = map[string]string{
	"artifact": "document", "avoids": "avoid", "delegated-by": "from", "history": "all", "local": "private", "owner": "assign",
	"supersede": "supersedes", "tag": "tags",
}

// currentFlag returns the current name of a renamed flag, otherwise the name itself.
func currentFlag(_ *pflag.FlagSet, name string) pflag.NormalizedName {
	return pflag.NormalizedName(cmp.Or(renamedFlags[name], name))
}

// newRoot returns the root command. If args start with a verb, it builds only this verb: a command
// that runs for a few milliseconds should not build forty other ones.
func newRoot(a *app, args []string) *cobra.Command {
	args = currentNames(args)
	root := &cobra.Command{
		Use: "idumb", Short: "Govern AI coding agents with files and a controller", Long: rootDoc,
		SilenceErrors: true, SilenceUsage: true,
		CompletionOptions: cobra.CompletionOptions{DisableDefaultCmd: true},
		Args:              cobra.ArbitraryArgs,
		RunE:              noVerb,
		PersistentPreRun:  func(c *cobra.Command, _ []string) { a.verb = verbTyped(c) },
	}
	root.SetUsageFunc(usage)
	narrowHelp(root)
	root.SetArgs(args)
	root.SetIn(a.stdin)
	root.SetOut(a.stdout)
	root.SetErr(a.stderr)
	root.SetFlagErrorFunc(flagError)
	root.SetGlobalNormalizationFunc(currentFlag)
	root.PersistentFlags().StringVarP(&a.dir, "directory", "C", "", "run as if started in this directory")
	root.PersistentFlags().Func("color", "`WHEN` output has color: auto (on a terminal, unless NO_COLOR is set), always or never", a.colour.Set)
	completeFlag(root, "color", terminal.ColourModes...)
	root.PersistentFlags().SortFlags = false
	// The gate evaluates these flags in the commands of agents. Here they only must not cause errors.
	for _, name := range bypassWords {
		root.PersistentFlags().Bool(name, false, "bypass a chain rule; the gate records the bypass")
		if err := root.PersistentFlags().MarkHidden(name); err != nil {
			panic(err) // an unknown flag
		}
	}
	for _, g := range groups {
		root.AddGroup(g)
	}
	if at := slices.Index(args, "--version"); at >= 0 && !slices.Contains(args[:at], firstWord(args)) {
		root.SetArgs([]string{"--version"})
		root.Flags().Bool("version", false, "print the version and exit")
	}
	for _, v := range a.withActs() {
		a.verbs = append(a.verbs, v.name)
	}
	for _, r := range admission.Renames() {
		a.verbs = append(a.verbs, strings.Fields(r.Old)[0])
	}
	addVerbs(root, a, verbOf(args))
	root.SetHelpCommand(newHelp(a))
	root.SetHelpCommandGroupID(setup)
	if slices.Contains(args, "--help") || slices.Contains(args, "-h") {
		withoutHelp(root, args)
	}
	return root
}

// currentNames returns the arguments with old names of commands replaced, also for help and completion.
func currentNames(args []string) []string {
	switch at := slices.Index(args, firstWord(args)); {
	case at < 0:
	case args[at] == "help":
		return append(slices.Clone(args[:at+1]), admission.Renamed(args[at+1:])...)
	case isCompletion(args[at]) && len(args) > at+2: // the last word is incomplete
		last := len(args) - 1
		return append(append(slices.Clone(args[:at+1]), admission.Renamed(args[at+1:last])...), args[last])
	}
	return admission.Renamed(args)
}

// isCompletion reports whether a word is one of cobra's hidden verbs for shell completion.
func isCompletion(word string) bool {
	return word == cobra.ShellCompRequestCmd || word == cobra.ShellCompNoDescRequestCmd
}

// withoutHelp removes --help from an unknown command, so that it fails.
func withoutHelp(root *cobra.Command, args []string) {
	if c, rest, err := root.Find(args); err != nil || wrongWord(c, rest) == nil {
		return
	}
	root.SetArgs(slices.DeleteFunc(slices.Clone(args), func(word string) bool { return word == "--help" || word == "-h" }))
}

// wrongWord returns the error for an argument that is not a subcommand of a command, or nil.
func wrongWord(c *cobra.Command, words []string) error {
	words = slices.DeleteFunc(slices.Clone(words), func(word string) bool { return strings.HasPrefix(word, "-") })
	switch {
	case len(words) == 0 || !c.HasSubCommands():
		return nil
	case !c.HasParent():
		return noVerb(c, words)
	case c.Args != nil:
		return c.Args(c, words)
	}
	return noSubVerb(c, words)
}

// misplacedFlag returns the error for a flag before the verb or the subverb. If such a flag took the
// next word as its value, the gate and the program could parse the command differently.
func misplacedFlag(args []string, before string) error {
	for i := 0; i < len(args) && strings.HasPrefix(args[i], "-"); i++ {
		switch flag, _, _ := strings.Cut(args[i], "="); {
		case args[i] == "-C", args[i] == "--directory":
			i++
		case strings.HasPrefix(flag, "-C"), slices.Contains([]string{"--directory", "--help", "-h", "--version"}, flag), slices.Contains(bypassWords[:], strings.TrimPrefix(flag, "--")):
		default:
			return fmt.Errorf("%s precedes the command; move it after the command: %s COMMAND %[1]s\nSee '%[2]s --help' for the commands", flag, before)
		}
	}
	return nil
}

// misplacedWithin is misplacedFlag for the arguments between the verb and the subverb.
func misplacedWithin(root *cobra.Command, args []string) error {
	c, _, err := root.Find(args)
	if err != nil || c == root || c.Parent() == root {
		return nil
	}
	verb := 0
	for ; strings.HasPrefix(args[verb], "-"); verb++ {
		if args[verb] == "-C" || args[verb] == "--directory" {
			verb++
		}
	}
	return misplacedFlag(args[verb+1:], c.Parent().CommandPath())
}

// verbTyped returns the verb of a command: "mem save", or "create" for any kind.
func verbTyped(c *cobra.Command) string {
	_, verb, _ := strings.Cut(c.CommandPath(), " ")
	if verb == "submit" {
		return string(transition.Review) // its name in the queue
	}
	if _, isKind := resources.LookupKind(c.Name()); isKind {
		verb, _, _ = strings.Cut(verb, " ")
	}
	return verb
}

// bypassWords lists the flags that bypass chain rules.
var bypassWords = [...]string{"force", "emergency", "bypass-chain"}

// bypasses returns the bypass flags of a command.
func bypasses(c *cobra.Command) (given []string) {
	for _, name := range bypassWords {
		if c.Flags().Changed(name) {
			given = append(given, "--"+name)
		}
	}
	return given
}

// bypassesIn returns the bypass flags among words.
func bypassesIn(words []string) []string {
	return slices.DeleteFunc(slices.Clone(words), func(word string) bool {
		return !slices.ContainsFunc(bypassWords[:], func(name string) bool { return word == "--"+name })
	})
}

// verbOf returns the verb of args, also if args request completion. It is empty if any verb is
// possible.
func verbOf(args []string) string {
	word := firstWord(args)
	if !isCompletion(word) {
		return word
	}
	if words := args[slices.Index(args, word)+1:]; len(words) > 1 {
		return firstWord(words)
	}
	return ""
}

// addVerbs adds the verb of that name to root. For an unknown name it adds all verbs, so that help
// can list them.
func addVerbs(root *cobra.Command, a *app, name string) {
	for _, v := range a.withActs() {
		if v.name == name {
			if !v.long {
				debug.SetGCPercent(1600) // first collection at 64 MB: most verbs end before
			}
			root.AddCommand(v.command(a))
			return
		}
	}
	for _, v := range a.withActs() {
		root.AddCommand(v.command(a))
	}
	if name == "" || name == "help" { // "idumb plans" means the kind, not the topic
		root.AddCommand(newTopics()...)
	}
}

// command builds the verb's command and sets its group, usage and completion.
func (v verb) command(a *app) *cobra.Command {
	c := v.build(a)
	c.GroupID, c.Hidden = v.group, v.group == ""
	c.DisableFlagsInUseLine = true
	withUsage(c)
	acceptNamespaces(c)
	if v.named && c.ValidArgsFunction == nil {
		c.ValidArgsFunction = a.completeObjects(completeNames)
	}
	return c
}

// acceptNamespaces adds kubectl's -n and -A to a command and its subcommands, unless they are
// defined. They have no effect, because there are no namespaces.
func acceptNamespaces(c *cobra.Command) {
	for _, sub := range c.Commands() {
		acceptNamespaces(sub)
	}
	f := c.Flags()
	if f.ShorthandLookup("n") == nil {
		f.StringP("namespace", "n", "", "ignored (for kubectl compatibility)")
		f.Lookup("namespace").Hidden = true
	}
	if f.ShorthandLookup("A") == nil {
		f.BoolP("all-namespaces", "A", false, "ignored (for kubectl compatibility)")
		f.Lookup("all-namespaces").Hidden = true
	}
}

// withUsage adds the usage to errors about the number of arguments.
func withUsage(c *cobra.Command) {
	for _, sub := range c.Commands() {
		withUsage(sub)
	}
	check := c.Args
	if check == nil || c.HasSubCommands() {
		return
	}
	c.Args = func(c *cobra.Command, args []string) error {
		if err := check(c, args); err != nil {
			return fmt.Errorf("%w\nUsage: %s", err, c.UseLine())
		}
		return nil
	}
}

// firstWord returns the first argument that is neither a flag nor the directory of -C.
func firstWord(args []string) string {
	for i := 0; i < len(args); i++ {
		switch arg := args[i]; {
		case arg == "-C" || arg == "--directory":
			i++
		case !strings.HasPrefix(arg, "-"):
			return arg
		}
	}
	return ""
}

// noVerb handles a missing or unknown verb, and --version.
func noVerb(root *cobra.Command, args []string) error {
	if root.Flags().Lookup("version") != nil {
		fmt.Fprintln(root.OutOrStdout(), "idumb", version.Current())
		return nil
	}
	names := []string{"help"}
	for _, c := range root.Commands() {
		names = append(names, c.Name())
	}
	for _, r := range admission.Renames() {
		names = append(names, strings.Fields(r.Old)[0])
	}
	return chooseOne(root, args, names)
}

// noSubVerb is noVerb for a verb with subverbs.
func noSubVerb(c *cobra.Command, args []string) error {
	var names []string
	for _, sub := range c.Commands() {
		names = append(names, sub.Name())
	}
	for _, r := range admission.Renames() {
		if verb, old, _ := strings.Cut(r.Old, " "); verb == c.Name() && old != "" {
			names = append(names, old)
		}
	}
	return chooseOne(c, args, names)
}

// chooseOne prints help if there are no arguments. Otherwise it returns an error with a suggestion.
func chooseOne(c *cobra.Command, args, names []string) error {
	if len(args) == 0 {
		return c.Help()
	}
	hint := fmt.Sprintf("See '%s --help' for the commands", c.CommandPath())
	near := resources.Nearest(args[0], names)
	if other := verbAliases[strings.ToLower(args[0])]; other != "" && !c.HasParent() {
		near = other
	} else if kind, isKind := resources.LookupKind(args[0]); isKind && !c.HasParent() {
		near = "get " + kind.Plural
	}
	if near != "" {
		hint = fmt.Sprintf("Did you mean this?\n\t%s", near)
	}
	return fmt.Errorf("unknown command %q for %q\n%s", args[0], c.CommandPath(), hint)
}

// flagError adds a similar flag and the help command to an error about flags.
func flagError(c *cobra.Command, err error) error {
	if words := c.Flags().Args(); c.HasSubCommands() && c.Args != nil && len(words) > 0 {
		if wrong := c.Args(c, words); wrong != nil {
			return wrong // the flags belong to an unknown word
		}
	}
	hint := ""
	if name, ok := strings.CutPrefix(err.Error(), "unknown flag: --"); ok {
		if near := resources.Nearest(name, flagNames(c)); near != "" {
			hint = fmt.Sprintf("\nDid you mean --%s?", near)
		}
	}
	return fmt.Errorf("%w%s\nSee '%s --help' for usage", err, hint, c.CommandPath())
}

// refuseFlags returns an error for the first given flag, because the command would ignore it.
func refuseFlags(c *cobra.Command, why string, names ...string) error {
	for _, name := range names {
		if c.Flags().Changed(name) {
			return fmt.Errorf("--%s %s", name, why)
		}
	}
	return nil
}

// flagNames returns the names of a command's flags.
func flagNames(c *cobra.Command) []string {
	var names []string
	c.Flags().VisitAll(func(f *pflag.Flag) { names = append(names, f.Name) })
	return names
}

// helpWidth is the maximal width of help: half of a wide screen, all of a small one.
const helpWidth = 80

// usage prints what follows the text in the help of a command. A template would link package
// text/template, see printers.goTemplate.
func usage(c *cobra.Command) error {
	w := c.OutOrStderr()
	fmt.Fprint(w, "Usage:")
	if c.Runnable() {
		fmt.Fprintf(w, "\n  %s", c.UseLine())
	}
	if c.HasAvailableSubCommands() {
		fmt.Fprintf(w, "\n  %s [command]", c.CommandPath())
	}
	if len(c.Aliases) > 0 {
		fmt.Fprintf(w, "\n\nAliases:\n  %s", c.NameAndAliases())
	}
	if c.HasExample() {
		fmt.Fprintf(w, "\n\nExamples:\n%s", c.Example)
	}
	groups := c.Groups()
	if len(groups) == 0 && c.HasAvailableSubCommands() {
		groups = []*cobra.Group{{Title: "Available Commands:"}}
	}
	for _, group := range groups {
		fmt.Fprintf(w, "\n\n%s", group.Title)
		for _, sub := range c.Commands() {
			if sub.IsAvailableCommand() && (sub.GroupID == group.ID || group.ID == "") {
				fmt.Fprintf(w, "\n  %-*s %s", sub.NamePadding(), sub.Name(), sub.Short)
			}
		}
	}
	if c.HasAvailableLocalFlags() {
		fmt.Fprintf(w, "\n\nFlags:\n%s", strings.TrimRight(c.LocalFlags().FlagUsagesWrapped(helpWidth), " \n"))
	}
	if c.HasAvailableInheritedFlags() {
		fmt.Fprintf(w, "\n\nGlobal Flags:\n%s", strings.TrimRight(c.InheritedFlags().FlagUsagesWrapped(helpWidth), " \n"))
	}
	if c.HasHelpSubCommands() {
		fmt.Fprint(w, "\n\nAdditional help topics:")
		for _, sub := range c.Commands() {
			if sub.IsAdditionalHelpTopicCommand() {
				fmt.Fprintf(w, "\n  %-*s %s", sub.CommandPathPadding(), sub.CommandPath(), sub.Short)
			}
		}
	}
	if c.HasAvailableSubCommands() {
		fmt.Fprintf(w, "\n\nUse \"%s [command] --help\" for more information about a command.", c.CommandPath())
	}
	fmt.Fprintln(w)
	if !c.HasParent() {
		fmt.Fprintf(w, "\"%s help --all\" lists all commands.\n", c.CommandPath())
	}
	return nil
}

// narrowHelp wraps the help of each command at helpWidth.
func narrowHelp(root *cobra.Command) {
	help := root.HelpFunc()
	root.SetHelpFunc(func(c *cobra.Command, args []string) {
		c.Long = narrow(c.Long, helpWidth)
		help(c, args)
	})
}

// narrow wraps the paragraphs with a line wider than width. Indented lines are kept.
func narrow(text string, width int) string {
	paragraphs := strings.Split(text, "\n\n")
	for i, p := range paragraphs {
		if tooWide(p, width) {
			paragraphs[i] = terminal.Wrap(p, width, "")
		}
	}
	return strings.Join(paragraphs, "\n\n")
}

// tooWide reports whether a paragraph has a line that is too wide, and no indented lines.
func tooWide(paragraph string, width int) bool {
	wide := false
	for line := range strings.SplitSeq(paragraph, "\n") {
		if strings.HasPrefix(line, " ") {
			return false
		}
		wide = wide || len(line) > width
	}
	return wide
}
