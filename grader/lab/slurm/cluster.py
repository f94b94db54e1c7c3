"""A Slurm cluster of two nodes on this machine, in a folder of its own, started and stopped with the context.

    with Cluster(folder) as cluster:
        cluster.run("sinfo")

Needs Debian's slurm-wlm and munge (`apt-get install slurm-wlm munge`) and root, which slurmd wants. Nothing outside the
folder is written; the daemons listen on the loopback alone."""

import os
import signal
import socket
import subprocess
import time
from pathlib import Path

CONFIG = """ClusterName=trial
SlurmctldHost={host}(127.0.0.1)
SlurmctldPort={controller}
SlurmUser={user}
SlurmdUser={user}
AuthType=auth/munge
AuthInfo=socket={folder}/munge.socket
CredType=cred/munge
StateSaveLocation={folder}/state
SlurmdSpoolDir={folder}/spool/%n
SlurmctldPidFile={folder}/slurmctld.pid
SlurmdPidFile={folder}/slurmd-%n.pid
SlurmctldLogFile={folder}/slurmctld.log
SlurmdLogFile={folder}/slurmd-%n.log
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
JobAcctGatherType=jobacct_gather/none
AccountingStorageType=accounting_storage/none
MpiDefault=none
ReturnToService=2
KillWait=2
MinJobAge=600
InactiveLimit=0
SlurmdTimeout=10
SchedulerType=sched/backfill
SchedulerParameters=sched_interval=1,bf_interval=1,batch_sched_delay=0
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
GresTypes=gpu
{nodes}PartitionName=all Nodes={names} Default=YES MaxTime=INFINITE State=UP
"""
NODE = "NodeName={name} NodeHostname={host} NodeAddr=127.0.0.1 Port={port} CPUs=1 RealMemory=2000 Gres=gpu:1 State=UNKNOWN\n"
NODES = ("one", "two")


def free_port():
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return one.getsockname()[1]


def text_of(path):
    try:
        return path.read_bytes().decode(errors="replace")
    except OSError:
        return ""


def parent_of(process):
    found = text_of(process / "stat").rpartition(")")[2].split()
    return int(found[1]) if len(found) > 1 else 0


class Cluster:
    def __init__(self, folder):
        self.folder = Path(folder).resolve()
        self.config = self.folder / "slurm.conf"
        self.processes = []
        self.nodes = {}  # name -> its slurmd

    def __enter__(self):
        for name in ("state", *(f"spool/{node}" for node in NODES)):
            (self.folder / name).mkdir(parents=True, exist_ok=True)
        self.folder.chmod(0o755)
        key = self.folder / "munge.key"
        key.write_bytes(os.urandom(64))
        key.chmod(0o600)
        import getpass

        host = socket.gethostname().split(".")[0]
        nodes = "".join(NODE.format(name=name, host=host, port=free_port()) for name in NODES)
        self.config.write_text(CONFIG.format(folder=self.folder, host=host, user=getpass.getuser(), controller=free_port(),
                                             nodes=nodes, names=",".join(NODES)))
        (self.folder / "gres.conf").write_text("Name=gpu File=/dev/null\n")
        (self.folder / "cgroup.conf").write_text("CgroupPlugin=cgroup/v1\nCgroupAutomount=no\n")
        os.environ["SLURM_CONF"] = str(self.config)
        try:
            self.start("munged", "--force", "--foreground", f"--key-file={key}", f"--socket={self.folder}/munge.socket",
                       f"--pid-file={self.folder}/munged.pid", f"--log-file={self.folder}/munged.log",
                       f"--seed-file={self.folder}/munged.seed")
            self.wait_for(lambda: (self.folder / "munge.socket").exists(), "munged")
            self.start("slurmctld", "-D", "-c", "-f", self.config)
            self.wait_for(lambda: self.run("scontrol", "ping").returncode == 0, "slurmctld")
            for name in NODES:
                self.start_node(name)
            self.wait_for(lambda: self.run("sinfo", "-h", "-N", "-o", "%t").stdout.split() == ["idle"] * len(NODES), "slurmd")
        except BaseException:
            self.__exit__()
            raise
        return self

    def __exit__(self, *_):
        for process in reversed(self.processes):
            process.send_signal(signal.SIGTERM)
            try:
                process.wait(20)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()
        os.environ.pop("SLURM_CONF", None)

    def start_node(self, name):
        self.nodes[name] = self.start("slurmd", "-D", "-f", self.config, "-N", name)

    def lose_node(self, name):
        """As when its power goes: the daemon, the steps and all that they have started."""
        jobs = [path.parent for path in Path("/proc").glob("[0-9]*/environ") if f"SLURMD_NODENAME={name}\0" in text_of(path)]
        steps = [path.parent for path in Path("/proc").glob("[0-9]*/cmdline") if text_of(path).startswith("slurmstepd: [")]
        daemon = self.nodes[name]
        own = [step for step in steps if any(parent_of(job) == int(step.name) for job in jobs)]
        for place in (*own, *jobs):
            os.kill(int(place.name), signal.SIGKILL) if place.exists() else None
        daemon.kill()
        daemon.wait()

    def start(self, program, *words):
        log = open(self.folder / f"{program}.out", "ab")
        self.processes.append(subprocess.Popen([program, *map(str, words)], stdin=subprocess.DEVNULL, stdout=log, stderr=log,
                                               env=dict(os.environ, PATH=os.environ["PATH"] + ":/usr/sbin")))
        log.close()
        return self.processes[-1]

    def run(self, *words):
        return subprocess.run(list(map(str, words)), capture_output=True, text=True, stdin=subprocess.DEVNULL)

    def wait_for(self, is_so, what, seconds=60):
        deadline = time.monotonic() + seconds
        while not is_so():
            if time.monotonic() > deadline:
                raise RuntimeError(f"{what} was not there after {seconds} s; see the logs in {self.folder}")
            time.sleep(0.2)

    def queue(self):
        return self.run("squeue", "-h", "-o", "%i %j %T").stdout.split("\n")[:-1]
