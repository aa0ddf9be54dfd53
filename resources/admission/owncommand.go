package admission

import (
	"cmp"
	"slices"
	"strings"

	"github.com/idumb-dev/idumb/resources"
	"github.com/idumb-dev/idumb/resources/admission/command"
)

// ownCommand is the parsed form of an idumb command. Values of flags may be included in the
// names, so callers check whether the objects exist.
type ownCommand struct {
	verb    string
	kinds   []string // plurals of the named kinds, in order
	names   []string
	several bool   // takes objects from a file, by selector, or all of them
	dry     bool   // only checks, writes nothing
	gives   bool   // a recall that hands the task to another agent
	apart   bool   // may outlive its caller
	mends   bool   // doctor fixes problems
	asks    bool   // starts a research, which costs money
	shown   string // command as written; empty if it is not on a command line
}

// valuedFlags lists the flags of idumb commands whose value can be the next word.
const valuedFlags = "--accept --after --agent --agents --allow-shell --allow-tools --answer --artifact --as --as-of --ask-shell --ask-tools " +
	"--assign --avoid --avoids --because --by --categories --category --checkpoints --chosen --color --complete --confidence " +
	"--content --covers --cue --delegated-by --delegates-to --delegation --deny-shell --deny-tools --deny-write --depends-on " +
	"--depth --derived-from --description --directory --document --engine --evidence --evidence-command --evidence-file " +
	"--expect --field-selector --file --filename --first-tools --for --from --governance --host --instead --intent --into " +
	"--label-columns --labels --level --limit --line --locks --max --met --mode --name --namespace --note --notes " +
	"--older-than --on-violation --option --output --owner --parent --patch --patch-file --path --paths --phase --phases " +
	"--plan --poll --priority --question --reason --related-to --remote --repo --resolve --roles --rule --scope --selector " +
	"--session --sha256 --shelf --since --sort-by --source --stale-after --start --state --supersede --supersedes --symbol --tags " +
	"--task --task-tag --team --tests --timeout --title --to --tools --topic --type --until-idle --uses --with --write -C -L " +
	"-l -n -o -p"

// TakesValue reports whether the value of a flag, as "--name" or "-n", can be the next
// word of a command with this verb. The tests of the commands check that both agree.
func TakesValue(verb, flag string) bool {
	switch flag {
	case "-f":
		return verb != "controller"
	case "--cascade":
		return verb == "archive"
	}
	return containsWord(valuedFlags, flag)
}

// An OwnWord is a flag with its value, or an operand.
type OwnWord struct {
	Flag  string // "--name" or "-n"; empty for an operand
	Value string
	At    int // index of the word; for a flag, of its first word
}

// WordsOf splits the words after "idumb" like the program does. Letters can be bundled, and
// values can be joined to a letter. Unknown flags are errors in the program, so their
// parsing does not matter.
func WordsOf(words []string) (read []OwnWord) {
	verb := ""
	for i := 0; i < len(words); i++ {
		switch w := words[i]; {
		case w == "--":
			return append(read, operandsFrom(words, i+1)...)
		case w == "-" || !strings.HasPrefix(w, "-"):
			if verb == "run" { // the rest belongs to the other command
				return append(read, operandsFrom(words, i)...)
			}
			read = append(read, OwnWord{Value: w, At: i})
			verb = cmp.Or(verb, w)
		case strings.HasPrefix(w, "--"):
			flag, value, given := strings.Cut(w, "=")
			read = append(read, OwnWord{flag, value, i})
			if !given && TakesValue(verb, flag) && i+1 < len(words) {
				i++
				read[len(read)-1].Value = words[i]
			}
		default:
			at := i
			for letters := w[1:]; letters != ""; {
				flag, rest := "-"+letters[:1], letters[1:]
				value, joined := strings.CutPrefix(rest, "=")
				switch takes := TakesValue(verb, flag); {
				case joined, takes && rest != "":
					rest = ""
				case takes && i+1 < len(words):
					i++
					value = words[i]
				default:
					value = ""
				}
				read = append(read, OwnWord{flag, value, at})
				letters = rest
			}
		}
	}
	return read
}

// operandsFrom returns the words from an index on as operands.
func operandsFrom(words []string, at int) (read []OwnWord) {
	for ; at < len(words); at++ {
		read = append(read, OwnWord{Value: words[at], At: at})
	}
	return read
}

// firstOperand returns the index of the first operand, or -1.
func firstOperand(read []OwnWord) int {
	return slices.IndexFunc(read, func(w OwnWord) bool { return w.Flag == "" })
}

// ownCommandOf parses a command. It returns false for other programs.
func ownCommandOf(words []string) (ownCommand, bool) {
	if len(words) == 0 || !command.IsIdumb(words[0]) {
		return ownCommand{}, false
	}
	var d ownCommand
	read := WordsOf(Renamed(words[1:]))
	if at := firstOperand(read); at >= 0 { // flags before the verb do not matter here
		d.verb = read[at].Value
		d.parse(read[at+1:])
	}
	return d, true
}

// parse parses the words after the verb.
func (d *ownCommand) parse(words []OwnWord) {
	switch d.verb { // verbs without a kind
	case "add":
		d.verb, d.kinds = "create", []string{resources.Tasks}
	case "research":
		d.verb, d.kinds, words, d.asks = "create", []string{resources.Delegations}, nil, true
	case decideVerb:
		d.kinds = []string{resources.Decisions}
	case "delegation":
		if at := firstOperand(words); at >= 0 && containsWord(delegationVerbs, words[at].Value) {
			d.verb, words = words[at].Value, slices.Delete(slices.Clone(words), at, at+1)
		}
	case "focus":
		d.verb, d.kinds, words = "patch", []string{resources.Trajectories}, nil
	case "run":
		words = d.completing(words)
	case "session":
		if at := firstOperand(words); at >= 0 && containsWord(sessionChanges, words[at].Value) {
			d.verb, d.kinds, words = "patch", []string{resources.Sessions}, slices.Delete(slices.Clone(words), at, at+1)
		}
	}
	for _, w := range words {
		switch w.Flag {
		case "":
			d.word(w.Value)
		case "--to":
			d.gives = d.gives || d.verb == revokeVerb
		case "--fix":
			d.mends = true
		case "--dry-run":
			d.dry = w.Value != "none"
		case "--filename", "-f", "--selector", "-l", "--all":
			d.several = true
		}
	}
	d.kindFirst()
	if d.ofDelegations() && len(d.kinds) == 0 {
		d.kinds = []string{resources.Delegations}
	}
	if len(d.names) > 0 && len(d.kinds) == 0 {
		d.byRight(strings.ToLower(d.names[0]))
		if containsWord(bareVerbs, d.verb) {
			d.kinds = []string{resources.Tasks}
		}
	}
}

// byRight adds the subcommand to the verb if permissions depend on it. first is the first
// word after the verb.
func (d *ownCommand) byRight(first string) {
	right := map[string]string{
		"get violations": "violations", "get violation": "violations", "get claims": "sync claims", "get claim": "sync claims",
		"get shellrules": "shell rules", "get shellrule": "shell rules", "get grants": "allow", "get grant": "allow",
		"auth check-command": "shell check", "controller kubeconfig": "kubeconfig", "import idumb": migrateVerb, "import hivemind": migrateVerb,
	}[d.verb+" "+first]
	if right == "" {
		return
	}
	verb, word, more := strings.Cut(right, " ")
	if d.verb = verb; more {
		d.names[0] = word
	} else if verb != migrateVerb {
		d.names = d.names[1:]
	}
}

// kindFirst moves a kind before the names, in commands that usually take names
// of tasks or delegations only. It also handles commands that accept a
// decision.
func (d *ownCommand) kindFirst() {
	if !d.ofTasks() && !d.ofDelegations() || len(d.kinds) > 0 || len(d.names) < 2 {
		return
	}
	k, known := resources.LookupKind(d.names[0])
	if known && (d.ofTasks() && (k.Plural == resources.WorkPlans || k.Plural == resources.Tasks) || d.ofDelegations() && k.Plural == resources.Decisions) {
		d.kinds, d.names = []string{k.Plural}, d.names[1:]
	}
}

// word parses KIND, KIND,KIND, KIND/NAME or NAME.
func (d *ownCommand) word(w string) {
	kind, name, qualified := strings.Cut(w, "/")
	if !qualified && (len(d.kinds) > 0 || d.ofTasks() || d.ofDelegations()) || qualified && d.verb == "create" {
		d.names = append(d.names, w)
		return
	}
	before := len(d.kinds)
	for word := range strings.SplitSeq(kind, ",") {
		if k, known := resources.LookupKind(word); known {
			d.kinds = append(d.kinds, k.Plural)
		}
	}
	if found := len(d.kinds) > before; found && qualified {
		d.names = append(d.names, name)
	} else if !found {
		d.names = append(d.names, w)
	}
}

// ofTasks reports whether the verb takes names of tasks without a kind.
func (d *ownCommand) ofTasks() bool { return containsWord(taskVerbs, d.verb) }

// ofDelegations reports whether the verb takes names of delegations.
func (d *ownCommand) ofDelegations() bool { return containsWord(delegationVerbs, d.verb) }

func (d ownCommand) namesKind(kind string) bool {
	return slices.Contains(d.kinds, kind)
}

// plain returns the command in the normal form of role rules: "idumb create delegation".
func (d ownCommand) plain() []string {
	words := []string{"idumb", d.verb}
	for _, kind := range d.kinds {
		if k, ok := resources.KindOf(kind); ok && !containsWord(kindVerbs+" "+decideVerb, d.verb) {
			words = append(words, k.Singular)
		}
	}
	return append(words, d.names...)
}

// text returns the command line for messages.
func (d ownCommand) text() string { return cmp.Or(d.shown, strings.Join(d.plain(), " ")) }

// each returns the command once for each of its kinds, because "idumb patch mem/m task/t"
// concerns both kinds. A recall that hands the task to another agent also counts as a
// delegation.
func (d ownCommand) each() []ownCommand {
	if d.gives {
		given := ownCommand{verb: "create", kinds: []string{resources.Delegations}, dry: d.dry}
		d.gives = false
		return append(d.each(), given)
	}
	if len(d.kinds) < 2 {
		return []ownCommand{d}
	}
	all := make([]ownCommand, len(d.kinds))
	for i, kind := range d.kinds {
		all[i] = d
		all[i].kinds = []string{kind}
	}
	return all
}

// Verbs of idumb by their effect. Reading verbs and verbs that hand work back are always
// allowed. Changing verbs change existing objects.
const (
	lookingVerbs    = "help version completion doctor explain api-resources auth next status get map describe tree wait diff context export"
	openVerbs       = lookingVerbs + " session comment review submit fail"
	readingVerbs    = lookingVerbs + " review top report" // write nothing
	changingVerbs   = "start complete abandon defer confirm accept edit patch delete label annotate archive restore apply replace import " + revokeVerb + " " + migrateVerb
	taskVerbs       = "start submit complete fail abandon defer"         // take names of tasks without a kind
	bareVerbs       = "edit patch delete label annotate archive confirm" // names without a kind are tasks
	delegationVerbs = "accept " + revokeVerb                             // after "delegation"
	revokeVerb      = "revoke"
	sessionChanges  = "close resume prune"     // after "session", change session records
	decideVerb      = "decide"                 // proposes, accepts, rejects and replaces decisions
	kindVerbs       = "mem artifact"           // kinds that are also verbs
	kindLooks       = "search tree"            // reading subcommands of kindVerbs
	endingVerbs     = "purge abandon complete" // subcommands of kindVerbs that end existing objects
	mendingVerbs    = "confirm supersede"      // for mems, artifacts and decisions
	migrateVerb     = "migrate"                // imports objects of older tools in the repository
)

// readingCommands lists commands with a subcommand that write nothing for their caller. Some
// start the controller, which acts on its own behalf.
var readingCommands = [...]string{"hook status", "controller status", "controller logs", "controller start", "up", "sync status", "sync conflicts", "sync claims", "shell rules", "shell check", "violations", "session show", "session export"}

func containsWord(list, word string) bool { return slices.Contains(strings.Fields(list), word) }

// alwaysOpen reports whether the command is always allowed for everyone.
func (d ownCommand) alwaysOpen() bool {
	return d.verb == "" || containsWord(openVerbs, d.verb) || containsWord(kindVerbs, d.verb) && d.looks()
}

// looks reports whether a command on mems or artifacts only reads.
func (d ownCommand) looks() bool { return len(d.names) == 0 || containsWord(kindLooks, d.names[0]) }

// onlyReads reports whether the command writes nothing for its caller. Unknown commands
// write.
func (d ownCommand) onlyReads() bool {
	switch {
	case d.verb == "doctor":
		return !d.mends
	case containsWord(kindVerbs, d.verb):
		return d.looks()
	case d.verb == "" || containsWord(readingVerbs, d.verb):
		return true
	}
	return slices.Contains(readingCommands[:], strings.Join(append([]string{d.verb}, d.names[:min(1, len(d.names))]...), " "))
}

// OnlyReads reports whether an idumb command writes nothing for its caller.
func OnlyReads(words []string) bool {
	d, _ := ownCommandOf(words)
	return d.dry || d.onlyReads()
}

// spellings returns all names of the command that role rules can use. Commands that write a
// mem or an artifact also match the kind and the create command. migrate also matches
// import. Roles that may not make decisions may not propose them either.
func (d ownCommand) spellings() [][]string {
	all := [][]string{d.plain()}
	switch {
	case d.verb == migrateVerb:
		all = append(all, []string{"idumb", "import"})
	case d.verb == decideVerb:
		all = append(all, []string{"idumb", "create", "decision"})
	case containsWord(delegationVerbs, d.verb):
		all = append(all, []string{"idumb", "delegation"})
	case containsWord(kindVerbs, d.verb) && !d.looks():
		all = append(all, append([]string{"idumb", "create", d.verb}, d.names[1:]...))
	case containsWord(mendingVerbs, d.verb) && d.namesKind(resources.Decisions):
		all = append(all, []string{"idumb", decideVerb}, []string{"idumb", "create", "decision"})
	case containsWord(mendingVerbs, d.verb) && (d.namesKind(resources.Mems) || d.namesKind(resources.Artifacts)):
		kind, _ := resources.KindOf(d.kinds[0])
		all = append(all, []string{"idumb", kind.Singular}, append([]string{"idumb", "create", kind.Singular}, d.names...))
	}
	return all
}

// startsWith reports whether one of the command's spellings, for one of its kinds, starts
// with the words of a pattern.
func (d ownCommand) startsWith(patterns []string) bool {
	return slices.ContainsFunc(d.each(), func(one ownCommand) bool {
		return slices.ContainsFunc(one.spellings(), func(words []string) bool { return startsWithAny(words, patterns) })
	})
}

// completing converts a run command that completes its task to that completion. The command
// it runs is judged separately.
func (d *ownCommand) completing(words []OwnWord) (task []OwnWord) {
	for _, w := range words {
		if w.Flag == "--complete" && w.Value != "" { // the last flag applies, and the gate checks all
			d.verb = "complete"
			task = append(task, OwnWord{Value: w.Value})
		}
	}
	return task
}

// changesWork reports whether the command starts, ends or hands over a task, or changes a
// plan.
func (d ownCommand) changesWork() bool {
	if d.dry {
		return false
	}
	return d.ofTasks() || d.several || containsWord("split "+migrateVerb, d.verb) ||
		(d.verb == "create" || d.changes()) && slices.ContainsFunc(d.kinds, func(kind string) bool {
			return slices.Contains([]string{resources.WorkPlans, resources.Tasks, resources.Delegations, resources.Trajectories}, kind)
		})
}

// requiredObjects returns the objects without which the command fails, by their names and
// possible kinds. It returns no name for other commands.
func (d ownCommand) requiredObjects() (kinds, names []string) {
	kinds, names = d.kinds, d.names
	switch {
	case d.several:
		return nil, nil
	case containsWord(kindVerbs, d.verb) && len(names) > 1 && containsWord(endingVerbs, names[0]):
		return []string{d.verb + "s"}, names[1:]
	case !d.ofTasks() && !d.changes() && d.verb != "split":
		return nil, nil
	case len(kinds) == 0:
		kinds = []string{resources.Tasks, resources.WorkPlans}
	}
	return kinds, names
}

// changes reports whether the command changes existing objects.
func (d ownCommand) changes() bool { return containsWord(changingVerbs, d.verb) }

// ownCommands returns the idumb commands of a call.
func (e *evaluation) ownCommands() []ownCommand {
	if e.done {
		return e.does
	}
	e.done = true
	for _, r := range e.call.runs() {
		if d, ok := ownCommandOf(r.Words); ok {
			d.shown, d.apart = r.Shown(), r.Detached
			e.does = append(e.does, d)
		}
	}
	return e.does
}
