package admission

import (
	"path"
	"slices"
	"strings"

	"github.com/idumb-dev/idumb/resources"
	"github.com/idumb-dev/idumb/resources/admission/command"
)

// The controller's sockets and its Kubernetes API are the person's door: what comes through it counts
// as the person's word. Agents have their own, which is judged.

// keysBefore begins the paths, from the repository's root and in lower case, of what opens it: the
// folder of the API's token, and the socket beside it.
const keysBefore = ".idumb/run/api"

// otherKeys are further such paths.
var otherKeys = [...]string{".idumb/run/hook.sock", ".idumb/run/applied", ".idumb/run", ".idumb/run/*"}

// isKey reports whether a path leads to the person's door.
func isKey(name string) bool {
	low := strings.ToLower(path.Clean(strings.ReplaceAll(name, `\`, "/")))
	i := strings.LastIndex("/"+low, "/.idumb/run")
	return i >= 0 && (strings.HasPrefix(low[i:], keysBefore) || slices.Contains(otherKeys[:], low[i:]))
}

const keyWhy = "It gives access to the controller with the rights of the user."

const keyInstead = "Use idumb's commands: `idumb get tasks`, `idumb start TASK`."

// governedKey: no tool of an agent reads what opens the person's door.
func governedKey(e *evaluation) *Reason {
	if e.call.Action != Read {
		return nil
	}
	for _, p := range e.call.Paths {
		if p.Repo != "" && isKey(p.Repo) {
			return &Reason{
				What:       tried(e.call) + " but that file is the user's: agents do not read it.",
				Why:        []string{keyWhy},
				UseInstead: "Tell the user which information you need from it, and continue without it.",
				Evidence:   []string{"path, links resolved = " + p.resolved()},
			}
		}
	}
	return nil
}

// clusterClients are programs that speak to a Kubernetes API, and so to ours.
var clusterClients = [...]string{"kubectl", "k9s", "kubecolor", "oc", "helm"}

// sharedWords are names of our kinds that other clusters have as well: alone they tell nothing.
var sharedWords = [...]string{"tasks", "task", "roles", "role", "config", "triggers", "trigger", "trg", "sessions", "session", "cr", "sh", "shell", "del", "an", "plan", "plans", "art", "dec"}

// personsDoor reads whether a command goes to the controller by the person's door.
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

// leadsToKey reports whether a word names what opens the door, by itself or from the folder that the
// command runs in.
func leadsToKey(dir, word string) bool {
	word = strings.TrimLeft(word, "@<")
	return isKey(word) || word != "" && !path.IsAbs(word) && strings.Contains(dir, "/.idumb") && isKey(path.Join(dir, word))
}

// namesOurs reports whether a word of a client names one of our kinds, as no other cluster does.
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
