package doctor

import (
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/idumb-dev/idumb/cmd/internal/doctor/objectchecks"
	"github.com/idumb-dev/idumb/controller/trust"
	"github.com/idumb-dev/idumb/resources"
)

// checkUserShell reports the user's rules for the shell gate that have no effect.
func (x *examination) checkUserShell() {
	dir := trust.ConfigDir(os.Getenv)
	if dir == "" {
		return
	}
	file := filepath.Join(dir, "idumb", "shell.json")
	data, err := os.ReadFile(file)
	if errors.Is(err, fs.ErrNotExist) {
		return
	}
	var rules resources.ShellRules
	if err == nil {
		err = json.Unmarshal(data, &rules)
	}
	if err != nil {
		x.notice("your own shell rules are not in effect: cannot read %s: %v; fix or remove the file", file, err)
		return
	}
	x.notices(objectchecks.ShellRules(file, &rules, true))
}
