package admission

import (
	"cmp"
	"path"
	"slices"
	"strings"

	"github.com/idumb-dev/idumb/resources/admission/command"
)

// Governs reports whether a file is one that agents do not write.
func Governs(p Path) bool { return governed(p) != "" }

// GovernedBelow returns a governed file that may stand below a folder, if one may: who
// removes or moves the folder, does it to the file.
func GovernedBelow(folder Path) (Path, bool) {
	at, patterns, anywhere := folder.Home, homeFiles[:], false
	if folder.Repo != "" {
		at, patterns, anywhere = folder.Repo, governedFiles[:], true
	}
	switch at {
	case "":
		return Path{}, false
	case ".":
		below := folder
		if below.Repo != "" {
			below.Repo = ".idumb/config.json"
		} else {
			below.Home = ".claude/settings.json"
		}
		return below, true
	}
	segments := strings.Split(strings.ToLower(at), "/")
	for _, pattern := range patterns {
		parts := strings.Split(strings.TrimSuffix(pattern, "/"), "/")
		for n := 1; n < len(parts); n++ {
			if n > len(segments) || !anywhere && n != len(segments) || !slices.Equal(segments[len(segments)-n:], parts[:n]) {
				continue
			}
			below := folder
			name := at + "/" + strings.ReplaceAll(path.Join(parts[n:]...), "*", "")
			if below.Repo != "" {
				below.Repo = name
			} else {
				below.Home = name
			}
			return below, true
		}
	}
	return Path{}, false
}

// MentionsGoverned reports whether what is literal in a word that is not known before
// it runs names a governed file, as $PWD/.claude/settings.json does.
func MentionsGoverned(w command.Word) (Path, bool) {
	name := path.Clean("/" + w.Text)[1:]
	if w.Literal || w.Pattern != "" || name == "" {
		return Path{}, false
	}
	switch path.Base(name) { // in whatever folder that may be
	case "settings.local.json":
		name = ".claude/settings.local.json"
	case "hooks.json":
		name = ".codex/hooks.json"
	}
	p := Path{Given: w.Text, Repo: name, Unsure: true}
	return p, Governs(p)
}

// governedShell: what a tool may not write, a command does not write, move or remove
// either; nor does one change in another way how agents are governed.
func governedShell(e *evaluation) *Reason {
	for _, p := range e.call.Paths {
		why := governed(p)
		if p.By == "" || why == "" {
			continue
		}
		does := "which changes "
		if p.Unsure {
			does = "which may change "
		}
		return &Reason{
			What:       "You tried to run " + quote(p.By) + ", " + does + p.name() + ": that file is governed, and agents do not change it.",
			Why:        []string{why},
			UseInstead: insteadOfShell(p),
			Evidence:   []string{"part of the command = " + quote(p.By), "path, links resolved = " + p.resolved()},
		}
	}
	for _, c := range e.call.Changes {
		return &Reason{
			What:       "You tried to run " + quote(c.Part) + ", which gets around what governs agents.",
			Why:        []string{c.Why},
			UseInstead: cmp.Or(c.Instead, "Leave it as it is; ask the person to run it if it is needed."),
			Evidence:   []string{"part of the command = " + quote(c.Part)},
		}
	}
	return nil
}

func insteadOfShell(p Path) string {
	if p.Below {
		return "Name the files or folders that it is for, without " + p.name() + "."
	}
	if p.Unsure {
		return "To look at the file, use `cat " + p.Given + "`; to have it changed, ask the person."
	}
	return insteadOfGoverned(p)
}
