package admission

import (
	"path"
	"strings"
	"time"
	"unicode"

	"github.com/idumb-dev/idumb/resources"
	"github.com/idumb-dev/idumb/resources/apierrors"
	"github.com/idumb-dev/idumb/resources/status"
)

// NotThere is the cause of a refusal because an evidence file does not exist.
const NotThere apierrors.Cause = "NotThere"

// judgeEvidence rejects completing or submitting a task by an agent with a missing file as
// evidence. Views without files reject nothing.
func judgeEvidence(old, next resources.Object, v status.View) error {
	was, _ := old.(*resources.Task)
	t, _ := next.(*resources.Task)
	if was == nil || t == nil || t.Spec.Result == nil || was.Spec.State == t.Spec.State && was.Spec.Result != nil && was.Spec.Result.Evidence == t.Spec.Result.Evidence {
		return nil
	}
	verb := map[string]string{resources.TaskCompleted: "complete", resources.TaskReview: "review"}[t.Spec.State]
	files, known := v.(interface {
		SourceFile(path string) (time.Time, string, bool)
	})
	file := fileOf(t.Spec.Result.Evidence)
	if verb == "" || file == "" || !known {
		return nil
	}
	if _, _, exists := files.SourceFile(file); exists {
		return nil
	}
	name := t.Metadata.Name
	return apierrors.Refuse(NotThere, "cannot "+verb+" task/"+name, "its evidence is the file "+quote(file)+", which does not exist",
		"write the file, or describe the evidence in words: idumb "+verb+" "+name+` --evidence "..."`)
}

// fileOf returns the file that a text names if it is a single word with a file extension,
// otherwise "".
func fileOf(text string) string {
	word, _, _ := strings.Cut(strings.Trim(strings.TrimSpace(text), "`\"'"), "#")
	kind, _, _ := strings.Cut(word, "/")
	if _, object := resources.LookupKind(kind); object || strings.ContainsAny(word, " \t\n*?") {
		return ""
	}
	for file := range resources.PathsIn(word) {
		if ext := strings.TrimPrefix(path.Ext(file), "."); ext != "" && unicode.IsLetter(rune(ext[0])) {
			return file
		}
	}
	return ""
}
