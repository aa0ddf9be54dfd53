package trust

import (
	"encoding/json"
	"os"
	"path/filepath"

	"github.com/idumb-dev/idumb/controller/store/layout"
)

// People returns the e-mail addresses of the authors whose comments instruct
// this user's agents even if the comments came through git: "people" in
// config.json of UserDir. It returns nil if the file is unreadable.
func People(root layout.Root, getenv func(string) string) []string {
	folder := UserDir(root, getenv)
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
