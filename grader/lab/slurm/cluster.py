"""A Slurm cluster of one node on this machine, in a folder of its own, started and stopped with the context.

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
SlurmdPort={daemon}
SlurmUser={user}
SlurmdUser={user}
AuthType=auth/munge
AuthInfo=socket={folder}/munge.socket
CredType=cred/munge
StateSaveLocation={folder}/state
SlurmdSpoolDir={folder}/spool
SlurmctldPidFile={folder}/slurmctld.pid
SlurmdPidFile={folder}/slurmd.pid
SlurmctldLogFile={folder}/slurmctld.log
SlurmdLogFile={folder}/slurmd.log
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
JobAcctGatherType=jobacct_gather/none
AccountingStorageType=accounting_storage/none
MpiDefault=none
ReturnToService=2
KillWait=2
MinJobAge=600
InactiveLimit=0
SchedulerType=sched/backfill
SchedulerParameters=sched_interval=1,bf_interval=1,batch_sched_delay=0
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
GresTypes=gpu
NodeName=trial NodeHostname={host} NodeAddr=127.0.0.1 CPUs=2 RealMemory=2000 Gres=gpu:1 State=UNKNOWN
PartitionName=all Nodes=trial Default=YES MaxTime=INFINITE State=UP
"""


def free_port():
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return one.getsockname()[1]


class Cluster:
    def __init__(self, folder):
        self.folder = Path(folder).resolve()
        self.config = self.folder / "slurm.conf"
        self.processes = []

    def __enter__(self):
        for name in ("state", "spool"):
            (self.folder / name).mkdir(parents=True, exist_ok=True)
        self.folder.chmod(0o755)
        key = self.folder / "munge.key"
        key.write_bytes(os.urandom(64))
        key.chmod(0o600)
        import getpass

        self.config.write_text(CONFIG.format(folder=self.folder, host=socket.gethostname().split(".")[0], user=getpass.getuser(),
                                             controller=free_port(), daemon=free_port()))
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
            self.start("slurmd", "-D", "-f", self.config, "-N", "trial")
            self.wait_for(lambda: "idle" in self.run("sinfo", "-h", "-o", "%t").stdout, "slurmd")
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

    def start(self, program, *words):
        log = open(self.folder / f"{program}.out", "wb")
        self.processes.append(subprocess.Popen([program, *map(str, words)], stdin=subprocess.DEVNULL, stdout=log, stderr=log,
                                               env=dict(os.environ, PATH=os.environ["PATH"] + ":/usr/sbin")))
        log.close()

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
