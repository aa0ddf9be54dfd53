package command

import (
	"path"
	"strings"
)

// danger is a row of the table of commands that do harm by a word or an option.
type danger struct {
	name   string // names, with blanks between them
	words  string // what stands first among its operands; "|" between several
	need   string // one of these options must be given
	also   string // and one of these words or options, anywhere
	spares string // with one of these it does no harm
	rule   string
}

// dangerTable is the table of such commands. Where a command has verbs, the verb with
// its object stands in words.
var dangerTable = [...]danger{
	{name: "mkfs mke2fs mkswap newfs wipefs blkdiscard mkfs.ext2 mkfs.ext3 mkfs.ext4 mkfs.xfs mkfs.btrfs mkfs.vfat mkfs.fat mkfs.ntfs mkfs.exfat mkfs.f2fs mkdosfs mkntfs", rule: "disk-overwrite", spares: "-n --no-act --help -V"},
	{name: "fdisk sfdisk cfdisk gdisk sgdisk parted diskpart partprobe", spares: "-l --list -p --print print -v --version -d --dump", rule: "disk-overwrite"},
	{name: "hdparm", also: "--security-erase --security-erase-enhanced --trim-sector-ranges --make-bad-sector --write-sector", rule: "disk-overwrite"}, {name: "nvme", words: "format|sanitize", rule: "disk-overwrite"},
	{name: "diskutil", words: "eraseDisk|eraseVolume|partitionDisk|secureErase|zeroDisk|randomDisk|reformat|apfs deleteContainer|apfs deleteVolume", rule: "disk-overwrite"}, {name: "cryptsetup", words: "luksFormat|erase|luksErase|luksRemoveKey", rule: "disk-overwrite"},
	{name: "lvremove vgremove pvremove lvreduce", rule: "disk-overwrite"}, {name: "zpool", words: "destroy|labelclear", rule: "disk-overwrite"}, {name: "zfs", words: "destroy|rollback", rule: "disk-overwrite", spares: "-n"}, {name: "mdadm", also: "--zero-superblock --stop --remove", rule: "disk-overwrite"}, {name: "btrfs", words: "subvolume delete|device remove", rule: "disk-overwrite"}, {name: "badblocks", need: "-w", rule: "disk-overwrite"}, {name: "format format.com", rule: "disk-overwrite", also: "c: d: /q /fs:ntfs /y C: D: E: e:"}, {name: "nwipe dban scrub", rule: "disk-overwrite"}, {name: "flashrom", need: "-w -E --write --erase", rule: "disk-overwrite"}, {name: "dmsetup", words: "remove_all|wipe_table|remove", rule: "disk-overwrite"}, {name: "umount", need: "-a", rule: "power"},
	{name: "swapoff", need: "-a", rule: "service"},

	{name: "npm pnpm yarn bun", words: "publish|npm publish", spares: "--dry-run", rule: "publish"}, {name: "npm pnpm yarn", words: "unpublish|deprecate|owner|access|dist-tag add|dist-tag rm|token revoke|team", spares: "--dry-run ls list", rule: "publish"}, {name: "lerna", words: "publish", rule: "publish"}, {name: "changeset", words: "publish", rule: "publish"}, {name: "semantic-release release-it np", spares: "--dry-run -d", rule: "publish"},
	{name: "cargo", words: "publish|yank|owner", spares: "--dry-run -n --list -l", rule: "publish"}, {name: "twine", words: "upload", rule: "publish"}, {name: "poetry uv hatch flit pdm maturin", words: "publish", spares: "--dry-run", rule: "publish"}, {name: "gem", words: "push|yank|owner", rule: "publish"}, {name: "mvn mvnw gradle gradlew", words: "deploy|release:perform|publish|uploadArchives|publishToMavenCentral|publishPlugins|publishAllPublicationsToMavenRepository|release", spares: "--dry-run -m -DskipDeploy", rule: "publish"}, {name: "dotnet", words: "nuget push|nuget delete", rule: "publish"}, {name: "nuget", words: "push|delete", rule: "publish"}, {name: "docker podman nerdctl", words: "push|image push|manifest push", rule: "remote-change"}, {name: "goreleaser", words: "release", spares: "--snapshot --skip-publish --skip=publish", rule: "publish"}, {name: "vsce ovsx", words: "publish|unpublish", rule: "publish"}, {name: "jsr", words: "publish", spares: "--dry-run", rule: "publish"}, {name: "deno", words: "publish", spares: "--dry-run", rule: "publish"}, {name: "pod", words: "trunk push|trunk delete|trunk deprecate", rule: "publish"}, {name: "mix", words: "hex.publish|hex.retire", spares: "--dry-run", rule: "publish"}, {name: "dart flutter", words: "pub publish", spares: "--dry-run -n", rule: "publish"}, {name: "helm", words: "push", rule: "remote-change"}, {name: "fastlane", words: "deliver|release|supply", rule: "publish"}, {name: "python python3", also: "twine", need: "-m", words: "upload", rule: "publish"}, {name: "conda anaconda", words: "upload", rule: "publish"}, {name: "crane skopeo", words: "delete", rule: "cloud-delete"}, {name: "snapcraft", words: "upload|release", rule: "publish"}, {name: "luarocks", words: "upload", rule: "publish"},

	{name: "terraform tofu terragrunt", words: "destroy|run-all destroy|apply-all|destroy-all|workspace delete|state rm|state push|force-unlock|taint", spares: "--help -help", rule: "infrastructure"}, {name: "terraform tofu terragrunt", words: "apply|run-all apply", also: "-destroy --destroy", rule: "infrastructure"}, {name: "terraform tofu terragrunt", words: "apply", also: "-auto-approve --auto-approve --terragrunt-non-interactive", rule: "remote-change"},
	{name: "pulumi", words: "destroy|down|stack rm|state delete|cancel", spares: "--preview-only", rule: "infrastructure"}, {name: "pulumi", words: "up|update", need: "-y --yes -f --skip-preview", rule: "remote-change"}, {name: "cdk sst serverless sls", words: "destroy|remove", rule: "infrastructure"}, {name: "cdktf", words: "destroy", rule: "infrastructure"}, {name: "amplify", words: "delete", rule: "infrastructure"}, {name: "eksctl kops", words: "delete", rule: "infrastructure", spares: "--dry-run"}, {name: "eb", words: "terminate", rule: "infrastructure"}, {name: "copilot", words: "app delete|env delete|svc delete", rule: "infrastructure"}, {name: "sam", words: "delete", rule: "infrastructure"}, {name: "vagrant", words: "destroy", rule: "infrastructure"}, {name: "multipass", words: "delete|purge", rule: "infrastructure"}, {name: "minikube kind k3d", words: "delete|delete cluster|cluster delete", rule: "cluster-delete"}, {name: "packer", words: "destroy", rule: "infrastructure"}, {name: "virsh", words: "destroy|undefine|vol-delete|pool-delete|snapshot-delete", rule: "infrastructure"}, {name: "vboxmanage", words: "unregistervm", rule: "infrastructure"}, {name: "qm pct", words: "destroy", rule: "infrastructure"}, {name: "azd", words: "down", rule: "infrastructure"}, {name: "crossplane", words: "delete", rule: "infrastructure"}, {name: "nomad", words: "job stop|stop|system gc|namespace delete", rule: "cluster-delete"}, {name: "consul", words: "kv delete", rule: "data-flush"}, {name: "vault", words: "delete|kv delete|kv destroy|kv metadata delete|secrets disable|auth disable|policy delete|operator seal|lease revoke|token revoke", rule: "cloud-delete"}, {name: "ansible", also: "state=absent", rule: "infrastructure"},

	{name: "kubectl oc k kubectl.exe", words: "delete namespace|delete ns|delete namespaces|delete node|delete nodes|delete pv|delete pvc|delete persistentvolume|delete persistentvolumes|delete persistentvolumeclaim|delete persistentvolumeclaims|delete crd|delete crds|delete customresourcedefinition|delete clusterrole|delete all|delete project|delete statefulset|delete sts|delete secret|delete secrets|delete deployment|delete deployments|delete deploy|delete service|delete svc|delete storageclass|delete cluster|delete ingress|delete configmap|delete daemonset|delete cronjob|delete job|delete replicaset", spares: "--dry-run --dry-run=client --dry-run=server", rule: "cluster-delete"},
	{name: "kubectl oc k", words: "delete", also: "--all --all=true -A --all-namespaces -l --selector --force --grace-period=0 -f --filename -k -R --recursive --field-selector", spares: "--dry-run --dry-run=client --dry-run=server", rule: "cluster-delete"}, {name: "kubectl oc k", words: "drain|cordon", spares: "--dry-run --dry-run=client", rule: "cluster-delete"}, {name: "kubectl oc k", words: "replace", need: "--force", rule: "cluster-delete"}, {name: "kubectl oc k", words: "scale", also: "--replicas=0", rule: "cluster-delete"}, {name: "kubectl oc k", words: "apply", also: "--prune", rule: "cluster-delete"}, {name: "kubectl oc k", words: "rollout undo|taint|patch node", rule: "remote-change"},
	{name: "helm", words: "uninstall|delete|del|un", spares: "--dry-run", rule: "cluster-delete"}, {name: "helmfile", words: "destroy|delete", rule: "cluster-delete"}, {name: "argocd", words: "app delete|cluster rm|proj delete|repo rm", rule: "cluster-delete"}, {name: "flux", words: "uninstall|delete", rule: "cluster-delete"}, {name: "istioctl linkerd", words: "uninstall", rule: "cluster-delete"}, {name: "velero", words: "delete|backup delete|restore delete|uninstall|schedule delete", rule: "cluster-delete"}, {name: "kubeadm", words: "reset", rule: "cluster-delete"}, {name: "rancher", words: "delete|rm", rule: "cluster-delete"}, {name: "etcdctl", words: "del|snapshot restore|member remove|rm", rule: "data-flush"}, {name: "k3s-uninstall.sh k3s-killall.sh rke2-uninstall.sh", rule: "cluster-delete"}, {name: "skaffold", words: "delete", rule: "cluster-delete"}, {name: "docker", words: "stack rm|service rm|swarm leave|secret rm|node rm|config rm", rule: "cluster-delete"},

	{name: "aws", words: "s3 rm", need: "--recursive", spares: "--dryrun", rule: "cloud-delete"}, {name: "aws", words: "s3 rb|s3api delete-bucket|s3api delete-objects|s3api delete-object", spares: "--dryrun", rule: "cloud-delete"}, {name: "aws", words: "s3 sync", need: "--delete", spares: "--dryrun", rule: "cloud-delete"}, {name: "aws", words: "s3 rm", spares: "--dryrun", rule: "remote-change"}, {name: "aws", words: "s3api put-bucket-lifecycle-configuration|s3api put-bucket-policy|s3api put-bucket-acl|kms schedule-key-deletion|kms disable-key|ec2 stop-instances|ec2 modify-instance-attribute|cloudtrail stop-logging|logs delete-log-group|iam create-access-key|iam attach-user-policy", rule: "cloud-delete"},
	{name: "gcloud", words: "*delete", rule: "cloud-delete"}, {name: "aws", words: "*delete-|*terminate-|*deregister-|*remove-|*purge-|*destroy-|*detach-|*revoke-|*disable-", rule: "cloud-delete"}, {name: "az", words: "*delete|*purge|*deallocate", rule: "cloud-delete"}, {name: "gsutil", words: "rm|rb", rule: "cloud-delete"}, {name: "gsutil", words: "rsync", need: "-d", rule: "cloud-delete"}, {name: "bq", words: "rm", rule: "cloud-delete"}, {name: "gcloud", words: "storage rm|storage buckets delete|compute instances stop", rule: "cloud-delete"}, {name: "azcopy", words: "remove|rm", rule: "cloud-delete"}, {name: "doctl", words: "*delete|*destroy|*rm", rule: "cloud-delete"}, {name: "hcloud linode-cli vultr-cli scw ibmcloud oci exo civo upctl openstack", words: "*delete|*rm|*remove|*terminate", rule: "cloud-delete"}, {name: "rclone", words: "purge|delete|deletefile|rmdirs|sync|cleanup", spares: "--dry-run -n -i --interactive", rule: "cloud-delete"}, {name: "mc", words: "rm|rb|mirror", also: "--recursive --force --remove -r rb", rule: "cloud-delete"}, {name: "s3cmd", words: "del|rb|rm|sync", also: "--recursive -r rb --delete-removed --force del", rule: "cloud-delete"}, {name: "s5cmd", words: "rm|rb", rule: "cloud-delete"}, {name: "restic", words: "forget|prune", spares: "--dry-run -n", rule: "cloud-delete"}, {name: "borg", words: "delete|prune|compact", spares: "--dry-run -n", rule: "cloud-delete"}, {name: "duplicity", words: "remove-older-than|cleanup", rule: "cloud-delete"}, {name: "tmutil", words: "delete|deletelocalsnapshots|disable", rule: "protection"}, {name: "vssadmin", words: "delete", rule: "protection"}, {name: "wbadmin", words: "delete", rule: "protection"}, {name: "bcdedit", words: "/set|/delete", rule: "protection"}, {name: "firebase", words: "firestore:delete|database:remove|projects:delete|hosting:disable|functions:delete|database:set", rule: "cloud-delete"}, {name: "supabase", words: "projects delete|db reset|branches delete|functions delete|secrets unset", rule: "cloud-delete"}, {name: "wrangler", words: "delete|*delete|d1 delete|r2 bucket delete|kv:namespace delete", rule: "cloud-delete"}, {name: "vercel", words: "remove|rm|env rm|project rm|domains rm|alias rm", rule: "cloud-delete"}, {name: "netlify", words: "sites:delete|env:unset", rule: "cloud-delete"}, {name: "railway", words: "down|delete|volume delete|environment delete", rule: "cloud-delete"}, {name: "fly flyctl", words: "apps destroy|destroy|volumes destroy|volume destroy|machine destroy|postgres detach|secrets unset|m destroy|apps delete", rule: "cloud-delete"}, {name: "heroku", words: "apps:destroy|destroy|pg:reset|addons:destroy|domains:remove|config:unset|container:rm|releases:rollback|pipelines:destroy|maintenance:on|ps:stop", rule: "remote-delete"}, {name: "render", words: "*delete", rule: "cloud-delete"}, {name: "planetscale pscale", words: "database delete|branch delete|db delete|deploy-request deploy|password delete", rule: "cloud-delete"}, {name: "neonctl neon", words: "*delete|branches reset", rule: "cloud-delete"}, {name: "turso", words: "db destroy|group destroy", rule: "cloud-delete"}, {name: "atlas", words: "*delete", rule: "cloud-delete"}, {name: "confluent", words: "*delete", rule: "cloud-delete"}, {name: "cf", words: "delete|delete-service|delete-space|delete-org|delete-route", rule: "cloud-delete"}, {name: "dokku", words: "apps:destroy|postgres:destroy|*destroy", rule: "cloud-delete"},

	{name: "docker podman nerdctl", words: "system prune|volume prune", also: "-a --all --volumes -f --force -af -fa prune", rule: "container-data"}, {name: "docker podman nerdctl", words: "volume rm|volume remove|system reset|machine rm|builder prune -a", rule: "container-data"}, {name: "docker podman", words: "compose down|compose rm|stack down", need: "-v --volumes", rule: "container-data"}, {name: "docker-compose podman-compose", words: "down|rm", need: "-v --volumes", rule: "container-data"}, {name: "docker podman", words: "compose down", need: "--rmi", rule: "remote-change"}, {name: "docker podman nerdctl", words: "rm|container rm", need: "-v --volumes", rule: "container-data"}, {name: "docker podman", words: "context rm|network prune|swarm init", need: "-f --force", rule: "remote-change"}, {name: "docker podman", words: "image prune|rmi", need: "-a --all", also: "prune", rule: "remote-change"},
	{name: "helm", words: "upgrade", need: "--force", rule: "remote-change"}, {name: "terraform tofu terragrunt", words: "state mv|state replace-provider|import", spares: "-dry-run --dry-run", rule: "remote-change"}, {name: "aws", words: "*modify-|*reset-|*reboot-", rule: "remote-change"},
	{name: "gh glab", words: "api", also: "DELETE -XDELETE --method=DELETE delete -Xdelete", rule: "remote-delete"},
	{name: "lxc incus", words: "delete|storage delete|network delete", rule: "container-data"},

	{name: "gh", words: "repo delete|release delete|repo archive|secret delete|secret remove|variable delete|workflow disable|ssh-key delete|gpg-key delete|gist delete|issue delete|label delete|cache delete|codespace delete|environment delete|run delete|repo rename|release delete-asset|repo transfer|ruleset delete|project delete", rule: "remote-delete"}, {name: "gh", words: "pr merge", rule: "remote-change", need: "--admin"}, {name: "gh", words: "repo edit", need: "--visibility --accept-visibility-change-consequences", rule: "remote-change"}, {name: "glab", words: "repo delete|project delete|release delete|mr delete|issue delete|variable delete|ssh-key delete|pipeline delete|label delete", rule: "remote-delete"}, {name: "hub", words: "delete|release delete", rule: "remote-delete"}, {name: "tea", words: "repos delete|release delete", rule: "remote-delete"}, {name: "bb", words: "repo delete", rule: "remote-delete"}, {name: "huggingface-cli hf", words: "repo delete|repo-files delete|delete-cache", rule: "remote-delete"}, {name: "svn", words: "delete|revert|rm", also: "http:// https:// svn:// -R --recursive", rule: "git-discard"}, {name: "hg", words: "strip|update|up|purge|revert", need: "-C --clean --all -a", rule: "git-discard"}, {name: "hg", words: "strip|purge|push -f", rule: "git-discard"}, {name: "hg", words: "push", need: "-f --force", rule: "git-force-push"}, {name: "jj", words: "git push", need: "--deleted --all", rule: "git-delete-remote"}, {name: "jj", words: "abandon|op restore|op undo|restore|undo", rule: "git-discard-some"}, {name: "p4", words: "obliterate|revert", rule: "git-discard"},

	{name: "dropdb dropuser", rule: "sql-drop", spares: "--help -V --version -?"}, {name: "mysqladmin mariadb-admin", words: "*drop|*shutdown", rule: "sql-drop"}, {name: "pg_resetwal pg_resetxlog initdb", rule: "sql-drop", spares: "-n --dry-run --version"}, {name: "pg_ctl", words: "stop|kill", rule: "service"}, {name: "pg_restore", need: "-c --clean", rule: "sql-drop"}, {name: "mongorestore", need: "--drop", rule: "data-flush"}, {name: "influx", words: "delete|bucket delete|org delete", rule: "data-flush"}, {name: "cockroach", words: "node decommission|node drain", rule: "data-flush"}, {name: "nodetool", words: "decommission|removenode|assassinate|clearsnapshot", rule: "data-flush"}, {name: "rabbitmqctl", words: "reset|force_reset|delete_vhost|purge_queue|delete_queue|delete_user|stop_app|forget_cluster_node", rule: "data-flush"}, {name: "rabbitmqadmin", words: "delete|purge", rule: "data-flush"}, {name: "kafka-topics kafka-topics.sh kafka-configs kafka-acls kafka-consumer-groups kafka-consumer-groups.sh", need: "--delete --reset-offsets --remove", rule: "data-flush"}, {name: "kafka-delete-records kafka-delete-records.sh", rule: "data-flush"}, {name: "zkcli zkcli.sh zookeeper-shell", words: "*rmr|*deleteall", rule: "data-flush"}, {name: "nats", words: "stream rm|stream purge|kv del|kv purge|consumer rm|stream delete", rule: "data-flush"}, {name: "memcflush memcrm", rule: "data-flush"}, {name: "hdfs hadoop", also: "-rm -rmr -rmdir -expunge -format -skipTrash", rule: "data-flush"}, {name: "aerospike asinfo", also: "truncate", rule: "data-flush"}, {name: "curator_cli", words: "delete_indices", rule: "data-flush"}, {name: "temporal", words: "*delete|*terminate", rule: "data-flush"}, {name: "sidekiqctl", words: "clear", rule: "data-flush"}, {name: "celery", words: "purge|*purge", rule: "data-flush"}, {name: "celery", also: "purge", rule: "data-flush"},
	{name: "prisma", words: "migrate reset", rule: "sql-drop"}, {name: "prisma", words: "db push", need: "--force-reset --accept-data-loss", rule: "sql-drop"}, {name: "rails rake bin/rails", words: "db:drop|db:reset|db:purge|db:migrate:reset|db:drop:all|db:truncate_all", rule: "sql-drop"}, {name: "artisan", words: "migrate:fresh|migrate:reset|migrate:refresh|db:wipe|queue:flush", rule: "sql-drop"}, {name: "sequelize sequelize-cli", words: "db:drop|db:migrate:undo:all", rule: "sql-drop"}, {name: "knex", words: "migrate:rollback", need: "--all", rule: "sql-drop"}, {name: "typeorm", words: "schema:drop", rule: "sql-drop"}, {name: "typeorm mikro-orm", words: "schema:drop|schema:fresh|migration:fresh|database:drop|cache:clear --force", rule: "sql-drop"}, {name: "drizzle-kit", words: "drop", rule: "sql-drop"}, {name: "drizzle-kit", words: "push", need: "--force", rule: "sql-drop"}, {name: "alembic", words: "downgrade base", rule: "sql-drop"}, {name: "flask", words: "db downgrade base|db drop", rule: "sql-drop"}, {name: "flyway", words: "clean", rule: "sql-drop"}, {name: "liquibase", words: "drop-all|dropAll|rollback-to-date", rule: "sql-drop"}, {name: "mix", words: "ecto.drop|ecto.reset", rule: "sql-drop"}, {name: "diesel", words: "database reset|database drop", rule: "sql-drop"}, {name: "sqlx", words: "database drop|database reset", rule: "sql-drop"}, {name: "sea-orm-cli", words: "migrate fresh|migrate reset|migrate refresh", rule: "sql-drop"}, {name: "goose dbmate migrate", words: "*reset|drop|*down-to|*drop", rule: "sql-drop"}, {name: "atlas", words: "schema clean", rule: "sql-drop"}, {name: "hasura", words: "*delete|metadata clear", rule: "sql-drop"}, {name: "dotnet", words: "ef database drop", rule: "sql-drop"}, {name: "console", words: "doctrine:database:drop|doctrine:schema:drop|d:d:d", rule: "sql-drop"}, {name: "wp drush", words: "db reset|db drop|db clean|site empty|sql-drop|sql:drop|site:delete|core delete", rule: "sql-drop"}, {name: "manage.py", words: "flush|reset_db|sqlflush|zap|drop_test_database", rule: "sql-drop"}, {name: "magento", words: "setup:uninstall", rule: "sql-drop"}, {name: "meteor", words: "reset", rule: "sql-drop"}, {name: "strapi", words: "*purge", rule: "sql-drop"}, {name: "convex", words: "*clear|import --replace-all", rule: "sql-drop"},

	{name: "shutdown", rule: "power", spares: "-c --help"}, {name: "reboot halt poweroff telinit rundll32", rule: "power", spares: "--help"}, {name: "init", words: "0|6|1", rule: "power"}, {name: "systemctl", words: "reboot|poweroff|halt|kexec|emergency|rescue|suspend|hibernate|isolate|default", rule: "power"}, {name: "stop-computer restart-computer", rule: "power"}, {name: "pm-suspend pm-hibernate", rule: "power"},
	{name: "systemctl", words: "stop firewalld|disable firewalld|mask firewalld|stop ufw|disable ufw|stop auditd|disable auditd|stop apparmor|disable apparmor|stop fail2ban|disable fail2ban|stop rsyslog|stop iptables|stop nftables|stop falcon-sensor|disable nftables", rule: "protection"}, {name: "systemctl", words: "stop|disable|mask|kill|set-default|revert", spares: "--user", rule: "service"}, {name: "service", words: "*stop", rule: "service"}, {name: "launchctl", words: "unload|remove|bootout|disable|kill|stop", rule: "service"}, {name: "sc", words: "delete|stop|config", rule: "service"}, {name: "rc-service", words: "*stop", rule: "service"}, {name: "update-rc.d chkconfig", words: "*remove|*off|*disable", rule: "service"}, {name: "net", words: "stop|user|localgroup|share", rule: "service"},
	{name: "userdel groupdel deluser delgroup gpasswd chpasswd newusers", rule: "accounts"}, {name: "useradd adduser usermod groupmod groupadd vipw visudo chage chsh", rule: "accounts", spares: "-l --list -c --help"}, {name: "passwd", rule: "accounts", spares: "-S --status --help"}, {name: "dscl", words: "*-delete|*-create", rule: "accounts"}, {name: "setenforce", rule: "protection"}, {name: "dseditgroup", rule: "accounts"},
	{name: "iptables ip6tables ebtables", need: "-F -X -P -D -Z --flush --delete-chain --policy --delete", rule: "protection"}, {name: "nft", words: "flush|delete", rule: "protection"}, {name: "ufw", words: "disable|reset|delete|--force reset|default allow", rule: "protection"}, {name: "firewall-cmd", also: "--panic-on --remove-service --set-default-zone=trusted", rule: "protection"}, {name: "pfctl", need: "-d -F", rule: "protection"}, {name: "spctl csrutil", also: "--master-disable --global-disable disable", rule: "protection"}, {name: "auditctl", need: "-D -e", rule: "protection"}, {name: "aa-disable aa-teardown", rule: "protection"}, {name: "journalctl", also: "--vacuum-time --vacuum-size --vacuum-files --rotate", rule: "protection"}, {name: "history", need: "-c -w -d", rule: "protection"}, {name: "rmmod", rule: "protection"}, {name: "insmod", rule: "protection"}, {name: "modprobe", need: "-r", rule: "protection"}, {name: "netsh", words: "advfirewall", rule: "protection"}, {name: "wevtutil", words: "cl|clear-log", rule: "protection"}, {name: "ip", words: "link set|route flush|addr flush|link delete|route del", rule: "protection"}, {name: "ifconfig", words: "*down", rule: "protection"}, {name: "nmcli", words: "networking off|*down|*delete", rule: "protection"}, {name: "route", words: "flush|delete|del", rule: "protection"}, {name: "sysctl", need: "-w --write", rule: "protection"}, {name: "chattr", rule: "protection", also: "-i +i -a -R"}, {name: "security", words: "delete-keychain|dump-keychain|delete-certificate|find-generic-password|find-internet-password|add-trusted-cert", rule: "protection"}, {name: "git-credential", words: "fill", rule: "secret-upload"}, {name: "reg", words: "delete|add|import", rule: "protection"}, {name: "set-executionpolicy", rule: "protection"}, {name: "set-mppreference add-mppreference", rule: "protection"}, {name: "update-grub grub-install efibootmgr grub-mkconfig", rule: "disk-overwrite"}, {name: "nvram", need: "-c -d", rule: "disk-overwrite"},
	{name: "crontab", need: "-r", rule: "schedule"}, {name: "atrm", rule: "schedule"}, {name: "schtasks", also: "/delete /create /change", rule: "schedule"},
	{name: "apt apt-get aptitude", words: "remove|purge|autoremove", spares: "-s --simulate --dry-run", rule: "remove-packages"}, {name: "yum dnf zypper", words: "remove|erase|autoremove|rm", rule: "remove-packages"}, {name: "pacman", need: "-R -Rns -Rs", rule: "remove-packages"}, {name: "dpkg", need: "-r -P --remove --purge", rule: "remove-packages"}, {name: "rpm", need: "-e --erase --nodeps", rule: "remove-packages"}, {name: "snap flatpak", words: "remove|uninstall", rule: "remove-packages"}, {name: "apk", words: "del", rule: "remove-packages"}, {name: "brew", words: "uninstall|remove|rm|autoremove", rule: "remove-packages"}, {name: "nix-collect-garbage", need: "-d --delete-old", rule: "remove-packages"}, {name: "choco winget scoop", words: "uninstall", rule: "remove-packages"}, {name: "rustup", words: "self uninstall", rule: "remove-packages"}, {name: "conda mamba", words: "env remove|remove", also: "--all env", rule: "remove-packages"}, {name: "pip pip3", words: "uninstall", need: "-r --requirement", rule: "remove-packages"},

	{name: "format-volume clear-disk initialize-disk remove-partition", rule: "disk-overwrite"}, {name: "cipher", also: "/w:c /w:C:", rule: "disk-overwrite"}, {name: "takeown icacls", also: "/r /R /T /t", rule: "permissions"},
	{name: "ngrok cloudflared localtunnel lt bore", words: "http|tcp|tunnel|tls|local", rule: "remote-change"}, {name: "msfvenom msfconsole hydra sqlmap john hashcat mimikatz", rule: "reverse-shell"},
	{name: "bfg", rule: "git-history"}, {name: "git-filter-repo git-filter-branch", rule: "git-history"}, {name: "killall5", rule: "end-processes"}, {name: "fuser", need: "-k --kill", also: "-m --mount / -M", rule: "end-processes"}, {name: "loginctl", words: "terminate-user|terminate-session|kill-user|kill-session|terminate-seat", rule: "end-processes"},
	{name: "gpg", also: "--delete-secret-keys --delete-secret-and-public-key --delete-secret-key --delete-key --delete-keys --export-secret-keys", rule: "accounts"}, {name: "ssh-add", need: "-D", rule: "accounts"}, {name: "ssh-keygen", need: "-R", rule: "system-change"}, {name: "op bw pass", words: "item delete|vault delete|delete|rm|user delete", rule: "accounts"}, {name: "stripe", words: "*delete|*cancel", rule: "remote-delete"}, {name: "xattr", need: "-c", also: "-r -cr -rc", rule: "system-change"}, {name: "defaults", words: "delete|write", rule: "system-change"},
}

// dangers judges one command.
func (m *machine) dangers(c *invocation) {
	if before := len(m.found); m.custom(c) {
		defer func() { m.found = m.found[:before] }()
	}
	m.fileEffects(c)
	m.byName(c)
	m.containers(c)
	m.cluster(c)
	m.uploads(c)
	m.mutations(c)
	m.databases(c)
	if row, found := languageOf(c.name); found {
		m.interpreter(row, c)
	}
	for i := range dangerTable {
		if d := &dangerTable[i]; hasWord(d.name, c.name) && d.applies(c) {
			m.object(d.rule, c.part(), "")
		}
	}
}

// applies reports whether a row is about a command.
func (d *danger) applies(c *invocation) bool {
	o := c.with("")
	if d.spares != "" && (o.has(d.spares) || literally(c.args, d.spares)) {
		return false
	}
	if d.need != "" && !o.has(d.need) && !literally(c.args, d.need) {
		return false
	}
	if d.also != "" && !d.anywhere(c) {
		return false
	}
	return d.words == "" || verbIn(d.words, o)
}

// anywhere reports whether one of the words stands among the arguments, also in front
// of "=" or with more behind it, for schemes of URLs.
func (d *danger) anywhere(c *invocation) bool {
	for w := range strings.SplitSeq(d.also, " ") {
		for _, f := range c.args {
			if f.text == w || strings.HasPrefix(f.text, w+"=") || strings.HasSuffix(w, "//") && strings.HasPrefix(f.text, w) {
				return true
			}
		}
	}
	for _, o := range c.with("").options {
		if hasWord(d.also, o.name) {
			return true
		}
	}
	return false
}

// verbIn reports whether the operands begin with one of the phrases. An option in front
// may have a value, which then looks like an operand. "*verb" stands for a verb
// anywhere among the first operands.
func verbIn(phrases string, o *parsedOptions) bool {
	for phrase := range strings.SplitSeq(phrases, "|") {
		if rest, ok := strings.CutPrefix(phrase, "*"); ok {
			for i, f := range o.operands[:min(6, len(o.operands))] {
				if f.text == rest || strings.HasSuffix(rest, "-") && strings.HasPrefix(f.text, rest) && i < 4 {
					return true
				}
			}
			continue
		}
		if begins(phrase, o) {
			return true
		}
	}
	return false
}

func begins(phrase string, o *parsedOptions) bool {
	words := 1 + strings.Count(phrase, " ")
	if len(o.operands) > 0 && strings.HasPrefix(o.operands[0].text, "+") { // cargo +nightly
		rest := *o
		rest.operands, rest.before = o.operands[1:], o.before[1:]
		o = &rest
	}
	for i := 0; i+words <= len(o.operands) && i <= o.before[i]; i++ {
		rest, match := phrase, true
		for k := range words {
			var w string
			w, rest, _ = strings.Cut(rest, " ")
			match = match && o.operands[i+k].text == w
		}
		if match {
			return true
		}
	}
	return false
}

// custom applies the patterns of a repository and a person. It returns true if the
// person allows the command, whatever the rules say.
func (m *machine) custom(c *invocation) (allowed bool) {
	if m.rules == nil || len(m.rules.patterns) == 0 {
		return false
	}
	words := append([]string{path.Base(c.path)}, plainTexts(c.args)...)
	for _, p := range m.rules.patterns {
		if !p.applies(words) {
			continue
		}
		if p.Verdict == Allow {
			allowed = true
		} else {
			m.object("pattern:"+p.Match, c.part(), "")
		}
	}
	return allowed
}
