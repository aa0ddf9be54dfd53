package githistory

import (
	"context"
	"strings"

	"github.com/idumb-dev/idumb/controller/store/layout"
)

// Author is the author of a commit according to git. The name is not verified.
type Author struct{ Name, Mail string }

// String returns NAME <MAIL>.
func (a Author) String() string { return strings.TrimSpace(a.Name + " <" + a.Mail + ">") }

// Added returns the authors of the commits, reachable from HEAD, that added the
// objects in a directory of .idumb, by object name. If a file was added several
// times, the last commit counts. It returns nil without a commit.
func Added(ctx context.Context, root layout.Root, folder string) (map[string]Author, error) {
	if Head(root) == "" {
		return nil, nil
	}
	ctx, cancel := context.WithTimeout(ctx, gitTimeout)
	defer cancel()
	out, err := git(ctx, root, "log", "-z", "--no-renames", "--diff-filter=A", "--name-only", "--relative", "--format=%x01%an%x02%ae", "--", folder)
	if err != nil {
		return nil, err
	}
	added := map[string]Author{}
	var by Author
	for record := range strings.SplitSeq(string(out), "\x00") {
		record = strings.TrimLeft(record, "\n")
		if commit, ok := strings.CutPrefix(record, "\x01"); ok {
			name, mail, _ := strings.Cut(commit, "\x02")
			by = Author{strings.ToValidUTF8(name, "?"), strings.ToValidUTF8(mail, "?")}
			continue
		}
		name, ok := layout.ObjectName(strings.TrimPrefix(record, folder+"/"))
		if _, known := added[name]; ok && !known && strings.HasPrefix(record, folder+"/") {
			added[name] = by
		}
	}
	return added, nil
}
