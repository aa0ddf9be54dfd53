package trust

import (
	"encoding/json"
	"os"
	"path/filepath"

	"github.com/idumb-dev/idumb/controller/store/layout"
)

// People are the e-mail addresses of those whose comments instruct this person's agents though they came
// by git: "people" of config.json in PersonFolder. None where it cannot be read: then nobody's do.
func People(root layout.Root, getenv func(string) string) []string {
	folder := PersonFolder(root, getenv)
	if folder == "" {
		return nil
	}
	var settings struct {
		People []string `json:"people"`
	}
	data, err := os.ReadFile(filepath.Join(folder, "config.json"))
	if err != nil || json.Unmarshal(data, &settings) != nil {
		return nil
	}
	return settings.People
}
