package admission

import (
	"path"
	"slices"
	"strings"

	"github.com/idumb-dev/idumb/resources"
	"github.com/idumb-dev/idumb/resources/admission/command"
)

// The controller's sockets and its Kubernetes API act on behalf of the person. Agents have
// a separate access, whose requests are checked.

// keysBefore is the path prefix of the API's token folder and the socket next to it, from
// the repository root in lower case.
const keysBefore = ".idumb/run/api"

// otherKeys lists further such paths.
var otherKeys = [...]string{".idumb/run/hook.sock", ".idumb/run/applied", ".idumb/run", ".idumb/run/*"}

// isKey reports whether a path below the repository root gives access to the controller with the
// rights of the user: a token or a socket in .idumb/run.
func isKey(name string) bool {
	low := strings.ToLower(path.Clean(strings.ReplaceAll(name, `\`, "/")))
	i := strings.LastIndex("/"+low, "/.idumb/run")
	return i >= 0 && (strings.HasPrefix(low[i:], keysBefore) || slices.Contains(otherKeys[:], low[i:]))
}

const keyWhy = "It gives access to the controller with the rights of the user."

const keyInstead = "Use idumb's commands: `idumb get tasks`, `idumb start TASK`."

// governedKey denies agents to read the files that give access to the controller with the rights of
// the user; see isKey.
func governedKey(e *evaluation) *Reason {
	if e.call.Action != Read {
		return nil
	}
	for _, p := range e.call.Paths {
		if p.Repo != "" && isKey(p.Repo) {
			return &Reason{
				What:       triedText(e.call) + " but that file is the user's: agents do not read it.",
				Why:        []string{keyWhy},
				UseInstead: "Tell the user which information you need from it, and continue without it.",
				Evidence:   []string{"path, links resolved = " + p.resolved()},
			}
		}
	}
	return nil
}

// clusterClients lists clients of Kubernetes APIs, which can also access ours.
var clusterClients = [...]string{"kubectl", "k9s", "kubecolor", "oc", "helm"}

// sharedWords lists names of our kinds that are also common in other clusters. They are not
// sufficient to identify ours.
var sharedWords = [...]string{"tasks", "task", "roles", "role", "config", "triggers", "trigger", "trg", "sessions", "session", "cr", "sh", "shell", "del", "an", "plan", "plans", "art", "dec"}

// personsDoor returns the changes from a command that accesses the controller as the
// person.
func personsDoor(r command.Run) []Change {
	client := slices.Contains(clusterClients[:], r.Name())
	for _, w := range r.Args {
		_, value, assigned := strings.Cut(w.Text, "=")
		if !assigned {
			value = w.Text
		}
		code := r.Interprets() && strings.Contains(strings.ToLower(w.Text), keysBefore)
		if code || leadsToKey(r.Dir, value) || client && namesOurs(w.Text) {
			return []Change{{Part: r.Part, Why: keyWhy, Instead: keyInstead}}
		}
	}
	return nil
}

// leadsToKey reports whether a word is the path of a file for which isKey is true, as given or
// relative to a working directory.
func leadsToKey(dir, word string) bool {
	word = strings.TrimLeft(word, "@<")
	return isKey(word) || word != "" && !path.IsAbs(word) && strings.Contains(dir, "/.idumb") && isKey(path.Join(dir, word))
}

// namesOurs reports whether an argument of a client names a kind that only our API has.
func namesOurs(word string) bool {
	if strings.HasPrefix(word, "/apis/"+resources.Group) {
		return true
	}
	for one := range strings.SplitSeq(word, ",") {
		kind, _, _ := strings.Cut(strings.ToLower(one), "/")
		if strings.HasSuffix(kind, "."+resources.Group) || kind == resources.Group || strings.HasPrefix(kind, "."+resources.Group) {
			return true
		}
		if _, known := resources.LookupKind(kind); known && !slices.Contains(sharedWords[:], kind) {
			return true
		}
	}
	return false
}
