package hosts

import (
	"cmp"
	"slices"
	"strings"
	"unicode"
)

// effect is an effect of an unlisted tool on the files in its arguments.
type effect int

const (
	unclear effect = iota // changes results, and the files that it gets a content for
	reads                 // changes only output files
	uses                  // runs or converts, or changes objects other than files: changes result files
	changes               // changes its files, but not sources next to a target
	moves                 // changes its files and the sources
)

// wordSet is a list of words in lower case, with blanks around each.
type wordSet string

func (s wordSet) has(word string) bool { return strings.Contains(string(s), " "+word+" ") }

// anyIn reports whether the set has one of the words.
func (s wordSet) anyIn(words []string) bool { return slices.ContainsFunc(words, s.has) }

// verbs lists the words in names of tools that tell the effect.
var verbs = [...]struct {
	words  wordSet
	effect effect
}{
	{" read get list search find show view describe query fetch browse explain grep glob ls lookup check lint validate verify analyze analyse" +
		" inspect count stat scan preview parse summarize summarise outline compare hash watch open navigate ask think wait trace debug" +
		" monitor measure diagnose detect identify recall retrieve peek review audit assess recommend suggest test dump encode decode tail" +
		" head cat ", reads},
	{" run exec execute call invoke eval evaluate start spawn launch build compile pack convert render install index train send post upload" +
		" publish deploy submit notify reply report ingest log import load use select extract push ", uses},
	{" write fix autofix edit update delete remove create save apply replace insert append prepend patch set unset export download add put" +
		" make mkdir touch truncate chmod chown link symlink unlink trash rm erase clear clean wipe purge merge split modify overwrite" +
		" rewrite refactor inline sort organize indent dedent format reformat prettify generate scaffold generator codegen sync mirror unzip untar" +
		" unpack decompress compress zip restore revert undo redo reset discard rollback transform migrate substitute toggle change copy cp" +
		" duplicate clone paste cut take capture screenshot record draw plot store persist resize crop rotate encrypt decrypt concat upsert" +
		" bump normalize minify strip synthesize speak swap print amend alter adjust rework drop destroy shred populate inject wrap unwrap uncomment" +
		" beautify tidy wget trim dedupe deduplicate implement" +
		" introduce encapsulate surround hoist codemod emit upgrade splice ", changes},
	{" move mv rename ren relocate ", moves},
}

// Words in names of tools.
const (
	// readNouns lists objects that a tool reads if its name has no verb. endNouns lists last words in names of readers.
	readNouns wordSet = " diagnostics hover references definition symbols usages info status history tree tests issues exists diff blame logs summary completion "
	endNouns  wordSet = " check preview info status history "
	// finalVerbs change files also after another verb, and as arguments that are true: lint_fix.
	finalVerbs wordSet = " replace fix autofix write rewrite overwrite apply inplace "
	// codeNames lists parts of code that extract moves. Other parts of files are only read.
	codeNames wordSet = " method function variable constant interface class component module superclass "
	// sessionNouns lists settings of the session: set_project.
	sessionNouns wordSet = " project working workspace root active current directory dir cwd "
	// notFiles lists objects other than files.
	notFiles wordSet = " breakpoint breakpoints cursor selection focus issue issues ticket tickets pr prs pull review reviews comment thread threads" +
		" label labels reaction reactions message messages channel sprint board card dashboard alert alerts incident milestone memory memories" +
		" entities observation observations relation relations email emails reminder meeting calendar cookie cookies session tab tabs" +
		" pipeline webhook discussion notification notifications thought todo todos note notes gist gists wiki page pages "
	fileWords wordSet = " file files fs filesystem folder directory dir path paths editor "
	// brings lists verbs of tools that save files from elsewhere.
	brings wordSet = " download clone save export capture screenshot take record print generate mirror wget "
	// sends lists verbs of tools that copy files to elsewhere.
	sends         wordSet = " send post upload publish deploy submit push "
	databaseWords wordSet = " database pg postgres supabase snowflake bigquery clickhouse redshift prisma oracle query execute "
	pythonWords   wordSet = " python python3 py ipython jupyter notebook "
	terminalWords wordSet = " terminal term tmux pty console shell process repl bash iterm ssh stdin "
	programWords  wordSet = " kubectl helm terraform tofu "
)

// verbEffect returns the effect of a verb.
func verbEffect(word string) effect {
	for _, row := range verbs {
		if row.words.has(word) {
			return row.effect
		}
	}
	return unclear
}

// effectOf returns the effect that the words of a tool's name tell, and the verb that tells it: the first, but run_x and
// list_and_x have the effect of x.
func effectOf(name []string) (does effect, verb string) {
	if n := len(name); n > 1 && endNouns.has(name[n-1]) {
		return reads, ""
	}
	for i, w := range name {
		for _, noun := range [...]string{"file", "files", "dir", "folder", "directory"} { // deletefile
			w = cmp.Or(strings.TrimSuffix(w, noun), w)
		}
		found := verbEffect(w)
		isJoined := does == uses || does == reads && (finalVerbs.has(w) || i > 0 && wordSet(" and or then ").has(name[i-1]))
		if does == unclear || found >= changes && isJoined {
			does, verb = found, w
		}
		if w == "extract" && codeNames.anyIn(name[i:]) {
			return changes, w
		} else if wordSet(" set change ").has(w) && sessionNouns.anyIn(name[i:]) {
			return uses, w
		}
	}
	switch {
	case notFiles.anyIn(name) && !wordSet(" file files ").anyIn(name) && does != reads:
		return uses, verb
	case does == unclear && readNouns.anyIn(name):
		return reads, ""
	}
	return does, verb
}

// role is the kind of path in an argument.
type role int

const (
	noPath role = iota
	plain       // a file or folder
	source      // a file that is read, or moved
	target      // where something is moved, copied or saved
	result      // where the output is saved
	base        // the folder of other paths
	inner       // a name of a file in the folder of the call
	loose       // a file, in tools for files only
)

// pathRoles lists the words before a noun like "path" that tell its role.
var pathRoles = [...]struct {
	words wordSet
	role  role
}{
	{" output out save saved export response result results editable ", result},
	{" destination dest dst target new to local paste link symlink extract download write copy move append ", target},
	{" source src from old original cut input ", source},
	{" root base working work project workspace repo repository package ", base},
	{" initial template schema values tsconfig solution include exclude ignore search relevant menu object document artifact collection remote ", noPath},
}

// Words in names of arguments.
const (
	pathNouns   wordSet = " path paths file files glob globs uri uris pathname dir dirs directory directories folder folders "
	folderNouns wordSet = " dir dirs directory directories folder folders "
	splitNouns  wordSet = " path paths file files dir folder name names root to uri "
	noPaths     wordSet = " profile profiles xpath jsonpath classpath keypath "
	looseNames  wordSet = " items targets entries names name location left right document notebook "
	// sureNames lists arguments that need not look like a path.
	sureNames wordSet = " destination dest dst src root base cwd "

	commandNouns  wordSet = " command commands cmd cmds cmdline commandline argv "
	lineNouns     wordSet = " line lines string text "                // after one of commandNouns
	policyWords   wordSet = " allowed blocked denied available "      // before one of commandNouns
	lineArguments wordSet = " shell bash sh run exec execute "        // a command line if it is more than one word
	keysNouns     wordSet = " keys input stdin data text keystrokes " // typed into a terminal
	codeNouns     wordSet = " code function expression source script javascript js "
	sqlArguments  wordSet = " sql ddl dml statement statements query queries "
	languageNames wordSet = " language lang runtime kernel interpreter module "
	// actionNames lists arguments with the action of a tool that has several.
	actionNames wordSet = " action actiontype operation op subtool tool toolname command subcommand method "
	// modeNames lists arguments with an action if the name of the tool has none.
	modeNames wordSet = " type kind mode changetype edittype "
	dryNames  wordSet = " dryrun preview simulate checkonly validateonly previewonly readonly noop whatif "
	contents  wordSet = " content contents text body data newtext newstr newstring edit edits patch patches replacement codeedit editsnippet lines" +
		" newcontent filecontent newvalue blocks "
	proseNames wordSet = " text message body content contents title description summary prompt question comment thought query pattern search needle label "
	// descriptions lists arguments with properties of a remote object.
	descriptions wordSet = " metadata filter filters where variables headers position inline properties fields metadatas "
	// remoteNames lists arguments that name an object of a service. Arguments that end in one of idNouns do as well,
	// except after one of localNouns.
	remoteNames wordSet = " url host endpoint owner bucket bucketname collection organization org repoowner pullnumber issuenumber prnumber pullrequestnumber "
	idNouns     wordSet = " id ids iid key slug uid "
	localNouns  wordSet = " session thread process terminal pane tab window request call client agent conversation run task job step cell kernel element" +
		" node symbol edit hunk checkpoint snapshot patch plan workspace user instance buffer transaction operation lock correlation trace chunk" +
		" block line device context shell server tool presentation api diagnostic action fix rule range selection "
	methods wordSet = " GET POST PUT PATCH DELETE HEAD OPTIONS "
)

// Names of arguments with programs, words, code and folders, without "_" and "-".
var (
	programArguments = []string{"executable", "program", "binary", "exe", "bin", "entrypoint"}
	wordsArguments   = []string{"args", "arguments", "argv", "params", "parameters"}
	codeArguments    = []string{"code", "function", "expression"}
	folderArguments  = []string{"cwd", "workdir", "workingdirectory", "directory"}
)

// interpreter returns the command that runs code in a language, or "".
func interpreter(language string) string {
	switch language = strings.ToLower(language); language {
	case "python", "python3", "py":
		return "python3 -c "
	case "bash", "sh", "shell", "zsh":
		return "bash -c "
	case "ruby", "perl":
		return language + " -e "
	case "php":
		return "php -r "
	case "r":
		return "Rscript -e "
	}
	return ""
}

// wordsIn returns the words of a name like list_files or ListFiles, in lower case.
func wordsIn(name string) []string {
	var b strings.Builder
	for i := range len(name) {
		if c := name[i]; i > 0 && c >= 'A' && c <= 'Z' && name[i-1] >= 'a' && name[i-1] <= 'z' {
			b.WriteByte('_')
		}
		b.WriteByte(name[i])
	}
	return strings.FieldsFunc(strings.ToLower(b.String()), func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) })
}

// pathRole returns the role that a word before a noun tells.
func pathRole(word string) (r role, found bool) {
	for _, row := range pathRoles {
		if row.words.has(word) {
			return row.role, true
		}
	}
	return noPath, false
}
