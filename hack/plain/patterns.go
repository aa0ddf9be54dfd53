package main

//plain:data the patterns and their examples match themselves

import (
	"path/filepath"
	"regexp"
	"strings"
)

// A pattern finds a phrase that occurs often in translated prose and rarely in the Go standard
// library, Kubernetes and other code bases of the field.
type pattern struct {
	name    string
	expr    string
	except  string // a longer match that is good English; empty if there is none
	instead string // what to write
	example string // a line that the pattern finds
	start   bool   // finds starts of sentences; not applied to the lines of wrapped paragraphs
	doc     bool   // finds comments of declarations; not applied to other texts

	re, exceptRe *regexp.Regexp
}

// phrases returns the patterns, compiled.
func phrases() []pattern {
	all := []pattern{
		{name: "free-what", expr: `\b[Ww]hat (?:is|was|are|were|has|had|it|they|the|a|an|comes|came|follows|nobody|somebody|stands|goes|can|could|may|must|cannot|else|others|one|people|that|waits|belongs|happens)\b`,
			instead: "name the thing: the file, the error, the blocking task", example: "returns what was found"},
		{name: "copula-what", start: true, expr: `^[A-Za-z]\w* (?:is|are) (?:what|who|where|how|why|whether|when|as)\b`, instead: "start with a verb: returns, reports, holds", example: "title is how a plan is called"},
		{name: "funcs-are", start: true, doc: true, expr: `^[a-z]\w* are `, except: `^\w+ are (?:deprecated|required|optional)`, instead: "start with a verb: lists, returns", example: "names are the tasks of a plan"},
		{name: "stands", expr: `\b[Ss]tands?\b|\bstood\b`, except: `[Ss]tands? (?:for|in for|alone)`, instead: "is stored in, is listed in, appears in, is", example: "the text stands in the file"},
		{name: "told", expr: `\b[Tt]old\b|\bhears?\b`, instead: "delivered to, sent to, reported", example: "an agent is told so"},
		{name: "says", expr: `\b[Ss]ays\b|\b[Ss]aid\b`, instead: "reports, states, returns, contains", example: "the file says so"},
		{name: "nobody", expr: `\b(?:[Nn]obody|[Ss]omebody|[Ww]hoever|[Ee]verybody)\b`, instead: "name the actor: the agent, a user, the caller, another process", example: "nobody works on it"},
		{name: "who-verb", expr: `(?:^|[,;:.]\s|\b(?:for|to|of|by|from|with) )[Ww]ho \w+|\bwho (?:asks|reads|works|answers|comes|calls|waits|waited|writes|starts|has|had|does)\b`, except: `[Ww]ho (?:is|are|the)\b`,
			instead: "the caller, the reader, the owner", example: "who asks gets an error"},
		{name: "of-which", expr: `\b[Oo]f (?:which|what|whom|whose)\b|\b(?:by|to|in|from|for|at|with) what\b`, instead: "split the sentence", example: "a list of which the first counts"},
		{name: "those", expr: `\b[Tt]hose (?:that|which|who|of|for|in|with|below|behind)\b|\b[Tt]hat of\b`, instead: "repeat the noun", example: "those that failed"},
		{name: "the-one", expr: `\bthe one (?:that|which|of|who|in|for)\b|\bwhich (?:of|one) \w+`, instead: "repeat the noun", example: "the one that is active"},
		{name: "is-none", expr: `\b(?:is|are|has|have|was|were|holds?) none\b`, instead: "does not exist, is not a, has no", example: "there is none"},
		{name: "is-there", expr: `\bwhat (?:is|was|there is|there was) there\b|\bwhat there (?:is|was|are)\b|\b(?:that|which|it|one|file) (?:is|are|was|were) there\b`, instead: "exists", example: "files that are there"},
		{name: "empty-for", expr: `"" (?:for|if|where|when|while|that)\b|\b(?:nil|0|""): `, except: `(?:returns|is) "" (?:for|if|where|when|while|that)\b|code 0: `, // an exit code and its meaning
			instead: `"It is empty if ...", "nil means ..."`, example: `the name; "" for an unnamed task`},
		{name: "asks", expr: `\basks?\b|\b(?:is|are|was|were|be) asked\b`, except: `allow, ask or deny|ask becomes deny|runs? ask\b|\basks? (?:the user|them)\b`, // a verdict of the gate; an agent asks a user
			instead: "queries, requests, calls, prompts", example: "the hook asks the controller"},
		{name: "becomes-of", expr: `\bwhat (?:became|becomes|came|comes) (?:of|from|out)\b`, instead: "the result, the outcome", example: "what became of a task"},
		{name: "goes-on", expr: `\b(?:goes|go|went) on\b`, except: `(?:goes|go|went) on to`, instead: "continues", example: "the work goes on"},
		{name: "anew", expr: `\banew\b|\bonce more\b|\b[Mm]eanwhile\b`, instead: "again; while X runs; concurrently", example: "written anew"},
		{name: "beside", expr: `\b[Bb]esides?\b|\bbehind\b`, instead: "next to, in addition to, after", example: "the file beside it"},
		{name: "of-its-own", expr: `\bof (?:its|their|his|our) own\b|\bof (?:ours|theirs|its kind|somebody)\b|\w's own\b|\bby (?:itself|themselves)\b`, instead: "separate, dedicated, automatically", example: "a process of its own"},
		{name: "all-that", expr: `\ball that\b|\bnothing (?:of|is|else|more|in|that)\b`, instead: "everything in X; name it", example: "nothing of it is kept"},
		{name: "as-it-is", expr: `\bas (?:it|they) (?:is|are|was|were|stands?|stood)\b|\bas far as\b`, instead: "unchanged; up to; if known", example: "kept as it is"},
		{name: "any-more", expr: `\bany more\b|\b(?:is|are|was|were) (?:gone|over)\b`, except: `(?:is|are|was|were) over \d`, instead: "no longer; was deleted; has ended", example: "the task is gone"},
		{name: "take-place", expr: `\b(?:in the place|in its place|takes? (?:its|the) place|took (?:its|the) place)\b`, instead: "replaces, supersedes", example: "a mem takes its place"},
		{name: "where-cond", expr: `\bwhere (?:there|nobody|nothing|no|that|it|one|they|somebody)\b`, instead: "if, when, unless", example: "where it is known"},
		{name: "alone", expr: `\balone\b|\b[Oo]thers\b`, instead: "only; other tasks, other clones", example: "this one alone"},
		{name: "so-many", expr: `\bso (?:many|much|few|long)\b|\beach once\b`, except: `so (?:many|much|few|long) as`, instead: "at most N, without duplicates", example: "at most so many"},
		{name: "known", expr: `\b(?:is|are) (?:not )?known\b|\bis wanted\b|\bset off\b|\bowed\b|\bbears? on\b`, except: `(?:is|are) (?:not )?known (?:to|as)\b`, instead: "is registered, is cached, is triggered", example: "the name is known"},
		{name: "holds", expr: `\b(?:that|it|they|which|mem|decision|one|still) holds?\b|\b(?:do|does|did) not hold\b`, instead: "is valid, is in effect, contains", example: "a decision that holds"},
		{name: "is-to-be", expr: `\b(?:is|are|was|were) to (?:be|hold|say|have|go|do|stay|take)\b`, instead: "must, should, will", example: "the task is to be done"},
		{name: "inversion", start: true, expr: `(?:^|[.;:] )Of (?:a|an|the|each|all|what|those|several|this|one|two|them)\b|^of (?:the|a|an|each|its|all|it|one)\b`, instead: "subject, verb, object; a field comment starts with a noun", example: "Of a plan it lists the tasks"},
	}
	for i := range all {
		p := &all[i]
		p.re = regexp.MustCompile(p.expr)
		if p.except != "" {
			p.exceptRe = regexp.MustCompile(p.except)
		}
	}
	return all
}

// An exception is a line that a pattern finds and that is right in its place.
type exception struct {
	file   string // path from the root of the repository
	text   string // the whole line; empty for each line of the file
	reason string
}

// exceptions returns the lines that do not count as hits.
func exceptions() []exception {
	return []exception{
		{file: "resources/admission/command/destructive.go", text: "nobody root daemon www-data", reason: "names of accounts in a command line"},
	}
}

// excepted reports whether a line of a file is an exception.
func excepted(path, text string) bool {
	path = "/" + filepath.ToSlash(path)
	for _, e := range exceptions() {
		if strings.HasSuffix(path, "/"+e.file) && (e.text == "" || e.text == strings.TrimSpace(text)) {
			return true
		}
	}
	return false
}

// matches reports whether the pattern finds the text, apart from its exceptions.
func (p *pattern) matches(text string) bool {
	found := p.re.FindAllStringIndex(text, -1)
	if p.exceptRe == nil || len(found) == 0 {
		return len(found) > 0
	}
	good := p.exceptRe.FindAllStringIndex(text, -1)
	for _, m := range found {
		covered := false
		for _, g := range good {
			covered = covered || m[0] < g[1] && g[0] < m[1]
		}
		if !covered {
			return true
		}
	}
	return false
}

// words returns names of declarations that are neither a noun nor a verb.
func words() map[string]bool {
	all := map[string]bool{}
	for _, word := range strings.Fields(`told given known seen wanted made left held kept said here there again alone anew others own whole
wrote gone past went came whoever somebody nobody owed meant shown heard asked meanwhile before after behind
beside besides below above aside inside outside over under like among within without more most few less least
nearly other another same so such both either neither what which who whose why when where how of to from at in on
by for with as off up down out about around between soon late sooner latest ever never yet still already ahead
elsewhere nowhere anywhere everywhere standing mended spared untold unshown unseen unheard unpleased unpicked torn
worn born bound brought built dealt drawn driven felt found fit fits grown hidden lost met put read ruling rests
settled sent shut spent split spoken stuck sure taken taught thought thrown tried understood used watched weighed
witnessed written wrong`) {
		all[word] = true
	}
	return all
}
